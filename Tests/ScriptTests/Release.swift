import ProcessGuard
import SystemPackage
import Testing

/// Releases that a test makes: archives as they are published, whose programs are scripts.
extension Fixture {
    /// The folder of all releases, which is `https://releases.test` too.
    var releases: FilePath { root.appending("releases") }
    /// What `headwind run` or `headwind check` was called with, a word a line.
    var calls: FilePath { root.appending("calls") }

    /// What stands for headwind: each run ends with the next word of `endings`, and with 65 leaves no result.
    private func program(version: String) -> String {
        """
        #!/bin/bash
        case $1 in
            --version) echo 'headwind \(version) (0123456789ab)' ;;
            report) echo "::warning::${*: -1} $GITHUB_ACTIONS" ;;
            run | check)
                printf '%s\\n' "$@" "summary:$GITHUB_STEP_SUMMARY" >> '\(calls)'
                for word; do [[ $word != --output=* ]] || output=${word#*=}; done
                read -r status rest < '\(root)/endings'; echo "$rest" > '\(root)/endings'
                [[ $status == 65 || -z $output ]] && exit "$status"
                mkdir -p "$output"; [[ $1 != check ]] || { echo '{}' > "$output/check.json"; exit "$status"; }
                echo "# $status" > "$output/summary.md"; echo > "$output/report.html"
                printf '{\\n    "verdict" : "pass",\\n  "verdict" : "fail"\\n}\\n' > "$output/result.json"
                exit "$status" ;;
        esac
        """
    }

    /// Makes a release, after `change` has had its way with what is packed, in the folder of `$name`.
    func addRelease(
        _ version: String = "0.2.0", told: String? = nil, endings: String = "0", change: String = ""
    ) async throws {
        try write(program(version: told ?? version), to: root.appending("program"))
        try write(endings + "\n", to: root.appending("endings"))
        try write("", to: calls)
        var command = GuardedCommand(
            "bash",
            arguments: [
                "-ec",
                """
                name=headwind-$1-linux-x86_64; names=("$name"); options=()
                mkdir -p "releases/v$1" "made/$name/bin"; cp program "made/$name/bin/headwind"
                cp checkout/Scripts/install-release "releases/v$1"; cd made; eval "$2"
                tar -czPf "../releases/v$1/$name.tar.gz" "${options[@]}" "${names[@]}"
                cd "../releases/v$1"; sha256sum -- *.gz > SHA256SUMS; chmod -R a+rX ../..
                """, "bash", version, change,
            ], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
        command.directory = root
        try await #require(runGuarded(command).status == .exited(0))
        // Only what is asked of it by https, and by nothing else on the way, is to be had.
        try add(
            "curl",
            """
            while (($# > 0)); do
                case $1 in
                    --output) output=$2 ;;
                    --url) url=$2 ;;
                    --proto | --proto-redir) [[ $2 == '=https' ]] || exit 9 ;;
                    https://*) url=$1 ;;
                esac
                shift
            done
            [[ $url == https://releases.test/* ]] && cp "\(releases)/${url#https://releases.test/}" "$output" || exit 22
            """)
    }

    /// The file with this path in the repository.
    func repositoryText(_ path: String) throws -> String {
        let repository = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        return try text(of: repository.appending(path))
    }
}
