import Events
import Foundation
import PackFormat
import ResourceLoading
import Synchronization
import SystemPackage
import Testing

/// Runs the body with a folder that is removed afterwards.
func withTemporaryFolder<Value>(
    in place: String? = nil, _ body: (FilePath) async throws -> Value
) async throws -> Value {
    let place = place.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let folder = place.appendingPathComponent("odr-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(FilePath(folder.path))
}

/// A pack of a test's host: a plain file.
struct TestPack: Sendable {
    var name: String
    var body: [UInt8]
    var tags: [String]
    /// What the manifest states about the file (default: the truth).
    var hasDigest = true
    var hasSize = true
    var storedSize: Int64?
    /// The download priority: 1 for a pack that comes with the app, less for a prefetched one.
    var priority: Double?

    var target: String { "/\(name).bin" }
}

/// A host with packs, and a device that uses it.
struct Fixture: Sendable {
    let server: ScriptedServer
    let folder: FilePath
    let log = EventLog()
    var configuration: LoaderConfiguration

    /// The host's steps for a request; nil for the correct response.
    typealias Script = @Sendable (ScriptedServer.Request, TestPack?) -> [ScriptedServer.Step]?

    /// A host without faults.
    static func run<Value>(_ packs: [TestPack], _ body: (Fixture) async throws -> Value) async throws -> Value {
        try await run(packs, configure: { _ in }, script: { _, _ in nil }, body)
    }

    /// A host that follows a script.
    static func run<Value>(
        _ packs: [TestPack],
        script: @escaping Script,
        _ body: (Fixture) async throws -> Value
    ) async throws -> Value {
        try await run(packs, configure: { _ in }, script: script, body)
    }

    /// A host that follows a script, and a device with its own configuration.
    static func run<Value>(
        _ packs: [TestPack],
        configure: (inout LoaderConfiguration) -> Void,
        script: @escaping Script,
        _ body: (Fixture) async throws -> Value
    ) async throws -> Value {
        let manifest = try Self.manifest(packs).plist()
        let table = try Self.tagTable(packs).plist()
        let server = try ScriptedServer { request in
            let pack = packs.first { $0.target == request.target }
            if let steps = script(request, pack) { return steps }
            switch request.target {
            case "/AssetPackManifest.plist": return Right.whole(manifest)
            case "/OnDemandResources.plist": return Right.whole(table)
            default: return pack.map { Right.answer(request, $0.body) } ?? [.head(404, "Content-Length: 0")]
            }
        }
        defer { server.stop() }
        return try await withTemporaryFolder { folder in
            var configuration = LoaderConfiguration(
                manifest: server.url("/AssetPackManifest.plist"),
                store: folder.appending("store")
            )
            configuration.transfers.patience = .seconds(20)
            configure(&configuration)
            return try await body(Fixture(server: server, folder: folder, configuration: configuration))
        }
    }

    static func manifest(_ packs: [TestPack]) -> AssetPackManifest {
        AssetPackManifest(
            resources: packs.map { pack in
                AssetPackManifest.Resource(
                    bundleKey: pack.name,
                    url: String(pack.target.dropFirst()),
                    isStreamable: true,
                    uncompressedSize: pack.storedSize ?? Int64(pack.body.count),
                    downloadPriority: pack.priority,
                    downloadSize: pack.hasSize ? Int64(pack.body.count) : nil,
                    sha256: pack.hasDigest ? Digest.sha256Hex(pack.body) : nil
                )
            }
        )
    }

    static func tagTable(_ packs: [TestPack]) -> TagTable {
        var table: [String: [String]] = [:]
        for pack in packs {
            for tag in pack.tags { table[tag, default: []].append(pack.name) }
        }
        return TagTable(packsByTag: table, pathsByPack: [:])
    }

    /// Opens a loader, runs the body, closes it.
    func withLoader<Value>(_ body: (ResourceLoader) async throws -> Value) async throws -> Value {
        let loader = try ResourceLoader(configuration) { [log] in log.add($0) }
        do {
            let value = try await body(loader)
            await loader.close()
            return value
        } catch {
            await loader.close()
            throw error
        }
    }

    /// Makes one request in its own loader, ends it, and returns its error.
    func request(_ tags: String...) async throws -> ResourceError? {
        try await withLoader { loader in
            let (key, error) = await loader.request(Set(tags))
            loader.end(key)
            return error
        }
    }

    /// Makes one request in its own loader, which must end with this code; nil for no error.
    func expect(
        _ code: Int?,
        _ tags: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let error = try await withLoader { loader in
            let (key, error) = await loader.request(tags.isEmpty ? ["t"] : Set(tags))
            loader.end(key)
            return error
        }
        #expect(error?.code == code, "\(error?.description ?? "no error")", sourceLocation: sourceLocation)
    }

    /// A stored plain pack's bytes; nil if it is not stored.
    func stored(_ pack: TestPack) -> [UInt8]? {
        let path = folder.appending("store").appending("packs").appending(pack.name).appending("\(pack.name).bin")
        return FileManager.default.contents(atPath: path.string).map { Array($0) }
    }
}

extension ResourceLoader {
    /// Begins a request and waits for its callback.
    func request(
        _ tags: Set<String>,
        id: String = "r",
        priority: LoadingPriority = .normal(0.5)
    ) async -> (RequestKey, ResourceError?) {
        await request(id: id, tags: tags, priority: priority)
    }
}

/// The events that a loader sent.
final class EventLog: Sendable {
    private struct Waiter {
        let fits: @Sendable (ClientEvent) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var events: [ClientEvent] = []
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    var all: [ClientEvent] { state.withLock { $0.events } }

    /// All events of a kind.
    func all(_ kind: ClientEvent.Kind) -> [ClientEvent] { all.filter { $0.kind == kind } }

    /// How many events have these members and no others.
    func count(_ kind: ClientEvent.Kind, _ fill: (inout ClientEvent) -> Void) -> Int {
        all.count { $0 == ClientEvent(kind, at: $0.t, fill) }
    }

    func add(_ event: ClientEvent) {
        let ready = state.withLock { state in
            state.events.append(event)
            let ready = state.waiters.filter { $0.fits(event) }
            state.waiters.removeAll { $0.fits(event) }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Returns once an event fits, or at once if an earlier one did.
    func next(_ fits: @escaping @Sendable (ClientEvent) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.events.contains(where: fits) { return true }
                state.waiters.append(Waiter(fits: fits, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// The bytes from which each try for a pack began.
    func fetches(of pack: String) -> [Int64] {
        all(.fetch).filter { $0.pack == pack }.compactMap(\.from)
    }

    /// The pauses before further tries for a pack.
    func pauses(of pack: String) -> [Duration] {
        all(.retry).filter { $0.pack == pack }.compactMap { $0.after.map(Duration.seconds) }
    }
}
