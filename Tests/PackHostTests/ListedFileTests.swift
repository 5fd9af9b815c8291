import Glibc
import PackFormat
import PackHost
import SystemPackage
import Testing

@testable import PackHost

/// Files that differ from the host's list, or that change while they are sent.
@Suite("Listed files", .timeLimit(.minutes(1)))
struct ListedFileTests {
    @Test(arguments: ["shorter", "longer", "gone", "a FIFO", "a link"])
    func answers500IfTheFileDiffersFromTheList(change: String) async throws {
        let (reply, events) = try await TestSite.with { site in
            let file = site.folder.appending("small.assetpack").string
            switch change {
            case "shorter": truncate(file, 999)
            case "longer": truncate(file, 1001)
            case "gone": unlink(file)
            case "a FIFO": _ = (unlink(file), mkfifo(file, 0o600))
            default: _ = (rename(file, file + "2"), symlink(file + "2", file))
            }
            defer { unlink(file + "2") }
            return try await site.host { try await RawClient.exchange($0.port, get()) }
        }
        #expect(reply.status == 500)
        #expect(
            events.contains {
                if case .fileFault(let text) = $0.kind { text.contains("small.assetpack") } else { false }
            })
    }

    @Test func abortsIfTheFileShrinksMeanwhile() async throws {
        let fault = try HostFault(parsing: "pack=large stall@1MiB for=100ms")
        let (_, events) = try await TestSite.with(
            files: ["large": [UInt8](repeating: 1, count: 2 << 20)], faults: [fault]
        ) { site in
            try await site.host { host in
                try await RawClient.connected(to: host.port) { client in
                    try client.send(get("/packs/large"))
                    _ = client.readResponseHead()
                    _ = client.read(exactly: 1 << 20)
                    truncate(site.folder.appending("large").string, 1 << 20)
                    #expect(client.readToEnd().end == .reset)
                }
            }
        }
        #expect(events.transfers.map(\.handed) == [1 << 20])
        #expect(events.transfers.map(\.cause) == [.fileFault(reason: "the file changed while it was sent")])
    }

    @Test func abortsIfTheFileShrinksUnderASlowClient() async throws {
        let (_, events) = try await TestSite.with(files: ["large": [UInt8](repeating: 1, count: 32 << 20)]) { site in
            var site = site
            site.configuration.limits.writeStall = .milliseconds(800)
            let file = site.folder.appending("large").string
            return try await site.host { host in
                try await RawClient.connected(to: host.port) { client in
                    try client.send(get("/packs/large"))
                    _ = client.readResponseHead()
                    truncate(file, 0)
                    #expect(client.waitForReset())
                }
            }
        }
        #expect(events.transfers.map(\.cause) == [.fileFault(reason: "the file changed while it was sent")])
    }
}
