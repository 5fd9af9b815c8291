import Glibc
import PackHost
import SystemPackage

@testable import PackFormat

/// A site of a few files in its own folder.
struct TestSite {
    /// A thousand bytes that depend on their position, so that a displacement shows.
    static let small = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    static let smallTag = "\"\(Digest.sha256Hex(small))\""

    let folder: FilePath
    var configuration: HostConfiguration

    /// A host of `small.assetpack` (tags red and square), the further `files`, a manifest and a tag table.
    static func with<Result>(
        files: [String: [UInt8]] = [:], faults: [HostFault] = [],
        _ body: (TestSite) async throws -> Result
    ) async throws -> Result {
        var template = Array("/tmp/headwind-host-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Errno(rawValue: errno) }
        let folder = FilePath(platformString: made)
        var packs: [ServedPack] = []
        for (name, bytes) in files.merging(["small.assetpack": small], uniquingKeysWith: { $1 }) {
            let file = folder.appending(name)
            let descriptor = try FileDescriptor.open(
                file, .writeOnly, options: [.create], permissions: .ownerReadWrite)
            try descriptor.closeAfter { _ = try descriptor.writeAll(bytes) }
            packs.append(
                ServedPack(
                    identifier: "com.example.\(name)", path: "/packs/\(name)", file: file, size: Int64(bytes.count),
                    sha256: Digest.sha256Hex(bytes), tags: name == "small.assetpack" ? ["red", "square"] : []))
        }
        let site = Site(manifest: Array("<manifest/>".utf8), tagTable: Array("<table/>".utf8), packs: packs)
        var configuration = HostConfiguration(site: site)
        configuration.faults = faults
        configuration.nonce = "test-run"
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(TestSite(folder: folder, configuration: configuration)))
        } catch {
            result = .failure(error)
        }
        for pack in packs { unlink(pack.file.string) }
        rmdir(folder.string)
        return try result.get()
    }

    /// Runs the host; returns the result of `body` and all events.
    func host<Result>(_ body: (PackHost) async throws -> Result) async throws -> (Result, [HostEvent]) {
        var stream: AsyncStream<HostEvent>?
        let result = try await withPackHost(configuration) { host in
            stream = host.events
            return try await body(host)
        }
        var events: [HostEvent] = []
        if let stream { for await event in stream { events.append(event) } }
        return (result, events)
    }
}

/// One request to a host of ``TestSite``, whose connection closes afterwards by default.
func get(
    _ path: String = "/packs/small.assetpack", _ method: String = "GET", fields: [String] = [],
    connection: String = "close"
) -> String {
    (["\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: \(connection)"] + fields).joined(separator: "\r\n")
        + "\r\n\r\n"
}

extension [HostEvent] {
    var decisions: [String] {
        compactMap { if case .fault(let line) = $0.kind { line } else { nil } }
    }

    var transfers: [HostTransfer] {
        compactMap { if case .finished(let transfer) = $0.kind { transfer } else { nil } }
    }

    var ends: [HostConnectionEnd.Cause] {
        compactMap { if case .closed(let end) = $0.kind { end.cause } else { nil } }
    }
}
