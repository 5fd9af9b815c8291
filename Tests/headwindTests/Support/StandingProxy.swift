import SystemPackage
import Testing

/// The built `headwind proxy` with a control API, for shell scripts.
///
/// `standing OPTIONS…` starts a proxy and waits until it is ready; `alone OPTIONS…` does so with these options only.
/// `at forward` and `at control` print its addresses. `ask BODY` sends a body to its control API. `status ARGUMENTS…`
/// prints the status that curl received, or curl's exit status.
enum StandingProxy {
    static let prelude = """
        standing() { alone --profile 3g --control 127.0.0.1:0 "$@"; }
        alone() {
            rm -f ready
            "$HW" proxy "$@" --ready-file ready > addresses 2> log & proxy=$!
            for turn in $(seq 1000); do [ -e ready ] && return; kill -0 $proxy || break; sleep 0.01; done
            cat log; exit 1
        }
        ended() { kill $proxy; wait $proxy; [ $? = 143 ]; }
        at() { sed -n "s/^$1 //p" addresses | head -n 1; }
        ask() { curl -s -m 10 -X PUT -d "$1" "$(at control)"; }
        status() { curl -s -m 10 -o /dev/null -w '%{http_code} %{http_connect}' "$@" || echo " exit $?"; echo; }

        """

    /// Writes `files`, runs a script with this prelude, expects status 0, and returns its output.
    static func told(_ script: String, files: [String: String] = [:]) async throws -> String {
        let run = try ExecRun()
        defer { run.remove() }
        for (name, text) in files {
            try text.write(toFile: run.folder.appending(name).string, atomically: true, encoding: .utf8)
        }
        let answer = try await run.run(prelude + script)
        #expect(answer.status == 0, "\(answer.output)\(answer.errors)")
        return answer.output + answer.errors
    }
}
