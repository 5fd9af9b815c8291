import PackFormat
import PackHost
import Results
import Testing

@testable import Harness

/// Bytes that go around the link: its measurements say nothing about the client.
@Suite(.timeLimit(.minutes(2)))
struct BypassedLinkTests {
    @Test func linkBypassed() async throws {
        let bench = try Bench()
        let socket = try ListeningDescriptor()
        let dependencies = AttemptDependencies.host(on: socket)
        let result = try await bench.run(
            """
            workload:
              command: [curl, --fail, --silent, --output, "{output}", "http://127.0.0.1:\(socket.port)/level.bin"]
              pack: level.bin
            expect: {exit: 0, files: {level.bin: level.bin}}
            """, dependencies: dependencies)
        SabotageTests.expect(result, .linkBypassed)
    }

    @Test(arguments: ["[sleep, '0']", "'true'"]) func nothingCrossesTheLink(command: String) async throws {
        let result = try await Bench().run("workload: {command: \(command)}\nbudgets: {retries: max <= 0}")
        SabotageTests.expect(result, .linkBypassed)
    }

    /// A client may succeed without a byte if the link leads nowhere.
    @Test func nothingCrossesALinkThatLeadsNowhere() async throws {
        let result = try await Bench().run(
            "link: {offline: no-route}\nworkload: {command: 'true'}\nbudgets: {time_to_available: max <= 9 s}")
        #expect(result.exitCode == 0, "\(result.text)")
    }

    /// A host that redirects a command elsewhere, and a program that fetches most of its file there.
    @Test(arguments: ["-L -o {output}", "-L -o other", "-o {output}", "-o other"])
    func aFileWithMoreBytesThanCrossedTheLinkIsABypass(options: String) async throws {
        let bench = try Bench()
        let site = try Site.files(directory: bench.folder.appending("packs"))
        try await withPackHost(HostConfiguration(site: site)) { host in
            let result = try await bench.run(
                """
                workload: {command: 'curl -fsS \(options) {manifest}/../level.bin'}
                faults: [{pack: level.bin, redirect: 'http://127.0.0.1:\(host.port)/level.bin'}]
                expect: {exit: 0, files: {other: \(String(repeating: "0", count: 64))}}
                """)
            #expect(result.attributions.contains(.linkBypassed) == options.hasPrefix("-L"), "\(result.text)")
        }
    }

    /// A program that fetches from a foreign host, and uses no proxy for it.
    @Test func aForeignHostIsReachedAroundTheLink() async throws {
        let bench = try Bench()
        let site = try Site.files(directory: bench.folder.appending("packs"))
        try await withPackHost(HostConfiguration(site: site)) { host in
            let result = try await bench.run(
                """
                host: http://127.0.0.1:\(host.port)/
                workload: {command: [curl, -fsS, --noproxy, '*', -o, "{output}", "{manifest}"]}
                """)
            SabotageTests.expect(result, .linkBypassed)
        }
    }

    @Test(arguments: ["", "expect: {files: {level.bin: level.bin}}"])
    func redirectLeadsAroundTheLink(expectation: String) async throws {
        let bench = try Bench()
        let site = try Site.files(directory: bench.folder.appending("packs"))
        try await withPackHost(HostConfiguration(site: site)) { host in
            let result = try await bench.run(
                """
                workload: {command: [curl, -fsSL, -o, "{output}", "{url}"], pack: level.bin}
                faults: [{pack: any, redirect: 'http://127.0.0.1:\(host.port)/level.bin'}]
                \(expectation)
                """)
            SabotageTests.expect(result, .linkBypassed)
        }
    }
}
