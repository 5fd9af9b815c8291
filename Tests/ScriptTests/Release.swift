import ProcessGuard
import SystemPackage
import Testing

/// Releases that a test makes: archives like the published ones, with scripts as programs.
extension Fixture {
    /// The folder of all releases, which `https://releases.test` serves.
    var releases: FilePath { root.appending("releases") }
    /// The arguments of `headwind run` or `headwind check`, one a line.
    var calls: FilePath { root.appending("calls") }

    /// A script instead of headwind: each run exits with the next word of `endings`; 65 leaves no result.
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

    /// Makes a release.
    ///
    /// The shell code `change` may alter its contents, in the folder `$name`.
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
        // curl delivers a file only if https is the only allowed protocol.
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

    /// The text of a file, by its path in the repository.
    func repositoryText(_ path: String) throws -> String {
        let repository = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        return try text(of: repository.appending(path))
    }
}
