import Foundation
import PackFormat
import SystemPackage
import Testing

@testable import ResourceLoading

/// A disk that fails one system call and accepts the others, by strace(1).
@Suite(.timeLimit(.minutes(2)))
struct StorageErrorTests {
    /// A system call, the error that it returns, and the code that the app gets.
    struct Fault: Sendable, CustomTestStringConvertible {
        var call: String
        var error: String
        var code: Int

        var testDescription: String { "\(call): \(error)" }
    }

    @Test(arguments: [
        // Bytes that cannot be synced to the disk, and a disk that reports late that it is full.
        Fault(call: "fsync", error: "EIO", code: 512), Fault(call: "fsync", error: "ENOSPC", code: 4992),
        Fault(call: "fsync", error: "EDQUOT", code: 4992),
        Fault(call: "pwrite64", error: "EIO", code: 512), Fault(call: "pwrite64", error: "ENOSPC", code: 4992),
        Fault(call: "pwrite64", error: "EDQUOT", code: 4992), Fault(call: "pwrite64", error: "EFBIG", code: 512),
    ])
    func aFailedCallLeavesNoPartialPackAndTheNextRequestSucceeds(fault: Fault) async throws {
        let pack = TestPack(name: "p", body: content(400_000), tags: ["t"])
        try await Fixture.run([pack]) { fixture in
            let log = fixture.folder.appending("calls")
            // Only writes to the download fail: the store's own notes use the same call, but are advisory.
            let download = fixture.configuration.store.appending("partial/p.part").string
            let strace =
                ["strace", "-f", "-qq", "-o", log.string, "-e", "trace=\(fault.call)"]
                + (fault.call == "fsync" ? [] : ["-P", download])
                + ["-e", "inject=\(fault.call):error=\(fault.error)"]
            let result = try await ClientProcess(fixture.configuration, ["t"], wrapper: strace).finish()
            let calls = try String(contentsOfFile: log.string, encoding: .utf8)
            #expect(calls.contains("(INJECTED)"), "nothing went wrong: \(calls.suffix(2000))")
            #expect(result.status == 1, "\(result.errors)")
            #expect(result.first("error")?.number("code") == fault.code, "\(result.first("error")?.line ?? "none")")
            #expect(result.names.contains("notification") == (fault.code == 4992))
            #expect(!result.names.contains("available"))

            let next = try await ClientProcess(fixture.configuration, ["t"]).finish()
            #expect(next.status == 0, "\(next.errors)")
            #expect(fixture.stored(pack) == pack.body)
            let store = StoreLayout(root: fixture.configuration.store)
            #expect(try FileSystem.entries(of: store.temporary).isEmpty)
        }
    }
}
