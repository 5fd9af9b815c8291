import Harness
import Testing

@testable import headwind

/// `--resolve` of the commands that have it.
struct ResolveOptionTests {
    @Test func isRepeated() throws {
        let options = ["--resolve", "Staging.example:192.0.2.7", "--resolve", "cdn.example:[2001:db8::7]"]
        let names = try [
            RunCommand.parse(["x.yaml"] + options).resolve.names,
            CheckCommand.parse(options + ["--", "curl"]).resolve.names,
            ReplayCommand.parse(["bundle"] + options).resolve.names,
        ]
        for names in names {
            #expect(names.map(\.text) == ["staging.example:192.0.2.7", "cdn.example:2001:db8::7"])
        }
    }

    @Test(
        arguments: [
            (["a:1.2.3.4", "a:1.2.3.5"], "--resolve gives 'a' two addresses"),
            (["a:443:1.2.3.4"], "leave the port out"), (["a"], "Write for example staging.example:192.0.2.7"),
        ])
    func whatIsWrongIsRefused(values: [String], why: String) {
        let options = values.flatMap { ["--resolve", $0] }
        let error = #expect(throws: (any Error).self) { try RunCommand.parse(["x.yaml"] + options) }
        let text = error.map { RunCommand.message(for: $0) } ?? ""
        #expect(text.contains(why), "\(text)")
        #expect(error.map { RunCommand.exitCode(for: $0).rawValue } == 64)
    }

    /// Nothing would take them where Headwind serves all itself.
    @Test func whereThereIsNoOtherHost() async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let answer = try await run.run(
            """
            mkdir packs && printf abc > packs/a.bin
            printf 'scenario: x\npacks: ./packs/\nlink: {profile: wifi}\nworkload: [{request: {tags: [a.bin]}}]\n' > x.yaml
            exec $HW run x.yaml --resolve a:127.0.0.1
            """)
        #expect(answer.status == 64 && answer.errors.contains("none of these has one"), "\(answer.errors)")
    }
}
