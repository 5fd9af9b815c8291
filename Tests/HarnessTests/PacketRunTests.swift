import AssetPacks
import Foundation
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// What a scenario may contain, over packets.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct PacketRunTests {
    private static let link =
        "link: {fidelity: packet, downlink: {rate: 20 Mbit/s, delay: 5 ms}, uplink: {rate: 20 Mbit/s, delay: 5 ms}}\n"

    private func run(_ bench: Bench, _ text: String) async throws -> RunResult {
        try await bench.run(Self.link + text)
    }

    /// Packs at foreign names and ports, for which the manifest has absolute addresses.
    @Test(arguments: [
        ("http://cdn.example.com:8080/x/", false), ("https://cdn.example.com/packs/", true),
        ("https://cdn.example.com:8443/x/", true),
    ])
    func foreignAddressesLeadToTheHost(prefix: String, tls: Bool) async throws {
        let bench = try Bench()
        let catalog = try BuiltInCatalog.shapes.write(to: bench.folder.appending("catalog"))
        _ = try AssetPackBuilder(limits: .ios2015, urlPrefix: prefix).build(
            catalog, to: bench.folder.appending("built"))
        let result = try await run(
            bench,
            """
            packs: ./built/
            tls: \(tls)
            workload: [{request: {tags: [blue, circle]}}]
            budgets: {redundant_bytes: max <= 0, requests: max <= 9}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
        #expect(result.cells[0].link.backend == "packet")
    }

    @Test(arguments: [
        (
            "http://192.0.2.1/x/",
            "names '192.0.2.1', and a sandbox resolves names to its host, but cannot redirect addresses"
        ),
        ("http://localhost:8080/x/", "names 'localhost'"),
        ("http://cdn.example.com:53/x/", "names port 53, which a sandbox's resolver uses"),
    ])
    func addressesThatASandboxCannotRedirectAreRefused(prefix: String, why: String) async throws {
        let bench = try Bench()
        let catalog = try BuiltInCatalog.shapes.write(to: bench.folder.appending("catalog"))
        _ = try AssetPackBuilder(limits: .ios2015, urlPrefix: prefix).build(
            catalog, to: bench.folder.appending("built"))
        let text = "packs: ./built/\nworkload: [{request: {tags: [blue]}}]\nbudgets: {requests: max <= 9}\n"
        let refused = try await run(bench, text)
        #expect(refused.exitCode == 69, "\(refused.text)")
        #expect(refused.text.contains(why) && refused.text.contains("fidelity: modelled"), "\(refused.text)")
        // If the scenario names no fidelity, the proxy runs it, and gives the reason.
        var run = try bench.prepare(text)
        run.backend = nil
        let swapped = try await run.perform()
        #expect(swapped.exitCode == 0, "\(swapped.text)")
        #expect(swapped.cells[0].link.reason?.contains(why) == true, "\(swapped.text)")
    }

    @Test func aForeignHostThatNoPacketReachesIsRefused() async throws {
        let bench = try Bench()
        let text = "host: http://[::1]:9/\nworkload: {command: 'true'}\nexpect: {exit: 0}\n"
        let refused = try await run(bench, text)
        #expect(refused.exitCode == 69, "\(refused.text)")
        #expect(refused.text.contains("its host is at ::1, and packets to ::1 never leave a sandbox"))
        var run = try bench.prepare(text)
        run.backend = nil
        #expect(try await run.perform().cells[0].link.backend == "proxy")
    }

    @Test func theHostListensOnIPv4AndIPv6() async throws {
        let bench = try Bench()
        let result = try await run(
            bench,
            """
            workload:
              command: "curl -sSfg -o {output} 'http://[2001:db8:77:1::2]/level.bin' && curl -sSf -o other http://10.77.1.2/level.bin"
              pack: level.bin
            expect: {exit: 0, files: {level.bin: level.bin, other: level.bin}}
            budgets: {requests: each == 2}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
    }

    // Storage.

    /// The built-in client keeps account of its storage, here as behind the proxy.
    ///
    /// A program that replaces it fills a file system.
    @Test func aFullDeviceIsAnAccountOrAFileSystem() async throws {
        let bench = try Bench()
        let text = """
            workload: [{request: {tags: [level.bin]}}]
            expect: {error: {domain: NSCocoaErrorDomain, code: 4992, class: storage}}
            budgets: {disk_peak: max <= 100 kB}
            """
        var foreign = Bench.programs
        try foreign.use(client: Bench.programs.client.string)
        for (programs, kind) in [(Bench.programs, StorageFacts.Kind.account), (foreign, .tmpfs)] {
            let full = try await bench.run(Self.link + "device: {storage: 100 kB}\n" + text, programs: programs)
            #expect(full.exitCode == 0, "\(full.text)")
            let request = try #require(full.cells[0].attempts.first?.requests.first)
            let isKernels = request.message?.contains("No space left on device") == true
            #expect(isKernels == (kind == .tmpfs), "\(request)")
            #expect(full.cells[0].storage == StorageFacts(kind: kind, bytes: 100_000))
        }
        let enough = try await run(bench, "device: {storage: 1 MB}\n" + text)
        #expect(enough.exitCode == 99, "\(enough.text)")
        let modelled = try await bench.run("device: {storage: 100 kB}\n" + text)
        #expect(modelled.exitCode == 0, "\(modelled.text)")
        #expect(modelled.cells[0].storage == StorageFacts(kind: .account, bytes: 100_000))
    }

    @Test func aFullDeviceIsAFileSystemForACommand() async throws {
        let bench = try Bench()
        func text(_ storage: String) -> String {
            """
            device: {storage: \(storage)}
            workload: {command: "curl -sSf -o {output} {url} || { status=$?; ls -l >&2; exit $status; }", pack: level.bin}
            """
        }
        let full = try await run(bench, text("100 kB") + "\nexpect: {exit: 23}\nbudgets: {requests: each == 1}\n")
        #expect(full.exitCode == 0, "\(full.text)")
        let enough = try await run(
            bench, text("1 MB") + "\nexpect: {exit: 0, files: {level.bin: level.bin}}\nbudgets: {requests: each == 1}\n"
        )
        #expect(enough.exitCode == 0, "\(enough.text)")

        let proxied = try await bench.run(text("1 MB"))
        #expect(proxied.exitCode == 69, "\(proxied.text)")
        #expect(
            proxied.text.contains("its device's 'storage' needs a file system that only a sandbox has"),
            "\(proxied.text)")
    }

    /// Over a proxy there is no file system that could become full.
    @Test(arguments: [
        ("{command: 'curl -sSf -o {output} {url}', pack: level.bin}", "{exit: 23}", "{exit: 0}"),
        (
            "[{request: {tags: [level.bin]}}]", "{error: {domain: NSCocoaErrorDomain, code: 4992, class: storage}}",
            "available"
        ),
    ])
    func aDeviceBecomesFull(workload: String, right: String, wrong: String) async throws {
        let bench = try Bench()
        let text = """
            workload: \(workload)
            faults: [{pack: level.bin, stall: {at: 50 %, for: 300 ms}}, {after: 50 % of level.bin, device: full}]
            expect:
            """
        let full = try await run(bench, text + " " + right)
        #expect(full.exitCode == 0, "\(full.text)")
        #expect(full.cells[0].storage == StorageFacts(kind: .tmpfs, bytes: 4_000_000))
        #expect((full.cells[0].attempts.first?.conduct?.deviceFullSeconds ?? -1) > 0)
        #expect(try await run(bench, text + " " + wrong).exitCode == 99)
        let proxied = try await bench.run(text + " " + right)
        #expect(proxied.exitCode == 69 && proxied.text.contains("can become full"), "\(proxied.text)")
    }

    /// All folders of a command are on the device, and a file that leads out of it is refused.
    @Test func aCommandWorksOnTheDevice() async throws {
        let bench = try Bench()
        let result = try await run(
            bench,
            """
            device: {storage: 1 MB}
            workload:
              command: "set -e; test $(stat -f -c %T .) = tmpfs; test $(stat -f -c %b .) = 245;
                test $(stat -f -c %T $TMPDIR) = tmpfs; curl -sSf -o real {url}; ln -s real inside; ln -s /etc/passwd outside;
                mkfifo pipe; ln -s ../.. up"
              pack: level.bin
            expect: {exit: 0, files: {real: level.bin, inside: level.bin}}
            budgets: {requests: each == 1}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
        for (file, why) in [
            ("outside", "leads out of its folder"), ("pipe", "is a pipe"), ("up/etc/passwd", "leads out of its folder"),
            ("missing", "does not exist"),
        ] {
            let wrong = try await run(
                bench,
                """
                device: {storage: 1 MB}
                workload:
                  command: "curl -sSf -o real {url}; ln -s /etc/passwd outside; mkfifo pipe; ln -s ../.. up"
                  pack: level.bin
                expect: {exit: 0, files: {\(file): level.bin}}
                """)
            #expect(wrong.exitCode == 99, "\(wrong.text)")
            #expect(wrong.text.contains("'\(file)' \(why)") || wrong.text.contains(why), "\(wrong.text)")
        }
    }
}
