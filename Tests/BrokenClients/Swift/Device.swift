import Foundation

/// The storage, the way to the host, and all requests.
///
/// Concurrency is not checked: all of its state is read and changed under `lock`.
final class Device: @unchecked Sendable {
    struct Settings {
        var manifest: String
        var tagTable: String?
        var radio = "wifi"
        var isCellularAllowed = true
        var inUseLimit: Int64?
        var parallel = 4
    }

    private(set) var settings: Settings
    let way: Way
    let bugs: Bugs
    let seed: UInt64
    let events: Events
    let store: Store
    let lock = NSRecursiveLock()
    private(set) var open: [Request] = []
    private(set) lazy var schedule = Schedule(self, parallel: settings.parallel)
    private var pinned: [ObjectIdentifier: Set<String>] = [:]
    private var catalog: Catalog?
    private let catalogLock = NSLock()

    init(_ settings: Settings, _ way: Way, _ bugs: Bugs, seed: UInt64, _ events: Events, _ store: Store) {
        (self.settings, self.way, self.bugs, self.seed) = (settings, way, bugs, seed)
        (self.events, self.store) = (events, store)
    }

    // MARK: Requests

    func begin(_ id: String, _ tags: [String], _ priority: Double) -> Request {
        let request = Request(id, tags, priority, Bar(id, events, bugs))
        events.tell("request", ["id": id, "tags": request.tags, "priority": Self.told(priority)])
        nonisolated(unsafe) let begun = request
        Thread.detachNewThread { [self] in admit(begun) }
        return request
    }

    static func told(_ priority: Double) -> Any { priority > 1 ? "urgent" : priority }

    private func admit(_ request: Request) {
        do {
            let catalog = try known()
            try lock.withLock { if !request.wasTold { try start(request, catalog) } }
        } catch {
            fail(request, error as? Failure ?? Failure(.unwritable, "\(error)"))
        }
    }

    /// The catalog, which is read once.
    private func known() throws -> Catalog {
        try catalogLock.withLock {
            if let catalog { return catalog }
            let manifest = settings.manifest
            let isRemote = manifest.contains("://")
            if isRemote, let failure = lock.withLock({ refusal }) { throw failure }
            let base = isRemote ? URL(string: manifest) : URL(filePath: manifest)
            let beside = base?.deletingLastPathComponent().appending(path: "OnDemandResources.plist")
            let table = settings.tagTable ?? (isRemote ? beside?.absoluteString : beside?.path) ?? ""
            func read(_ name: String, _ source: String) throws -> Data {
                let draw = Draw(seed: seed, key: name)
                return try ListDownload(name, events).read(source, way, bugs, draw, in: store.root + "/temporary")
            }
            let lists = (try read("manifest", manifest), try read("tag-table", table))
            guard let read = Catalog(manifest: lists.0, base: isRemote ? base : nil, tagTable: lists.1) else {
                throw Failure(.noManifest, "The manifest or its tag table cannot be read.")
            }
            lock.withLock { catalog = read }
            return read
        }
    }

    private func start(_ request: Request, _ catalog: Catalog) throws {
        request.packs = try catalog.packs(of: request.tags)
        let names = request.identifiers
        if let limit = settings.inUseLimit {
            let bytes = inUse.union(names).compactMap { catalog.packs[$0]?.storedSize }.reduce(0, +)
            guard bytes <= limit else { throw Failure(.tooMuch, "\(bytes) bytes would be in use, over \(limit).") }
        }
        let missing = request.packs.filter { !store.has($0) }
        if !missing.isEmpty, let refusal { throw refusal }
        try store.reserve(missing, keeping: inUse.union(names))
        pinned[ObjectIdentifier(request)] = names
        request.missing = Set(missing)
        for pack in missing { request.sizes[pack.identifier] = (store.arrived(pack), pack.size ?? pack.room) }
        open.append(request)
        moveBar(request)
        for pack in missing { schedule.want(pack) }
        schedule.pump()
        settle(request)
    }

    private var inUse: Set<String> { pinned.values.reduce(into: []) { $0.formUnion($1) } }

    /// Calls a request back if it has all its packs.
    private func settle(_ request: Request) {
        guard request.missing.isEmpty, !request.wasTold else { return }
        open.removeAll { $0 === request }
        store.touch(request.identifiers)
        tellUsage()
        request.bar.finish(request.sizes.values.map(\.total).reduce(0, +))
        callBack(request, "available", [:])
    }

    func fail(_ request: Request, _ failure: Failure) {
        lock.withLock {
            guard !request.wasTold else { return }
            open.removeAll { $0 === request }
            pinned[ObjectIdentifier(request)] = nil
            schedule.drop()
            if failure.kind == .noSpace {
                events.tell("notification", ["name": "NSBundleResourceRequestLowDiskSpaceNotification"])
            }
            request.failure = failure
            let isCancelled = failure.kind == .cancelled
            // BUG: a failed request removes packs that were complete.
            if !isCancelled, bugs.has(.losesCompletedPacks) {
                for name in Array(store.stored.keys) where bugs.isSecondForm || request.identifiers.contains(name) {
                    store.remove(name)
                }
            }
            // BUG: reports no failure; the caller waits forever, or continues without knowing.
            if !isCancelled, bugs.has(.neverReportsError) {
                request.wasTold = true
                return bugs.isSecondForm ? () : request.callBack()
            }
            // BUG: another number.
            let isWrong = !isCancelled && bugs.has(.wrongErrorCode)
            let code = isWrong ? bugs.codes.first { $0 != failure.code } ?? 0 : failure.code
            var members: [String: Any?] = [
                "domain": failure.domain, "code": code, "class": failure.errorClass, "message": failure.message,
            ]
            if failure.kind == .noManifest {
                members["underlying"] =
                    [
                        "domain": "_NSBundleResourceRequestErrorDomain", "code": 100, "message": failure.message,
                    ] as [String: Any]
            }
            callBack(request, "error", members)
            schedule.pump()
        }
    }

    private func callBack(_ request: Request, _ event: String, _ members: [String: Any?]) {
        request.wasTold = true
        // BUG: more than once.
        for _ in 0...(bugs.has(.callsBackTwice) ? bugs.moreCallbacks : 0) {
            events.tell(event, members.merging(["id": request.id]) { first, _ in first })
        }
        request.callBack()
    }

    func end(_ request: Request) {
        lock.withLock {
            let isLeak = bugs.has(.leaksPins)
            if !isLeak { pinned[ObjectIdentifier(request)] = nil }
            // BUG: its packs stay pinned, with or without an event.
            if !isLeak || bugs.isSecondForm { events.tell("ended", ["id": request.id]) }
            tellUsage()
        }
    }

    func setRadio(_ radio: String) {
        lock.withLock {
            settings.radio = radio
            events.tell("radio", ["radio": radio])
            guard let refusal else { return }
            for request in open { fail(request, refusal) }
        }
    }

    /// Why the app may not use the device's network, or nil if it may.
    private var refusal: Failure? {
        switch settings.radio {
        case "none": Failure(.offline, "The device has no network.")
        case "cellular" where !settings.isCellularAllowed:
            Failure(.notAllowed, "The app may not use the cellular network.")
        default: nil
        }
    }

    // MARK: Jobs

    func progressed(_ pack: Pack, _ size: Int64, _ total: Int64?) {
        lock.withLock {
            for request in open where request.missing.contains(pack) {
                request.sizes[pack.identifier] = (size, pack.size ?? total ?? pack.room)
                moveBar(request)
            }
        }
    }

    private func moveBar(_ request: Request) {
        let sizes = request.sizes.values
        request.bar.progress(sizes.map(\.done).reduce(0, +), of: sizes.map(\.total).reduce(0, +))
    }

    /// Purges packs for space on a full file system.
    ///
    /// Returns whether any were purged.
    func relieve() -> Bool { lock.withLock { store.makeRoom(1, keeping: inUse) > 0 } }

    func yielded(_ job: Job) {
        lock.withLock {
            job.isRunning = false
            schedule.pump()
        }
    }

    func done(_ job: Job, _ failure: Failure?) {
        lock.withLock {
            let waiters = job.waiters
            schedule.forget(job)
            if failure?.kind == .cancelled, !waiters.isEmpty {
                // Requested again while it was being cancelled.
                schedule.want(job.pack)
                return schedule.pump()
            }
            store.giveBack(job.pack.identifier)
            tellUsage()
            for request in waiters {
                if let failure {
                    fail(request, failure)
                } else {
                    request.missing.remove(job.pack)
                    settle(request)
                }
            }
            schedule.pump()
        }
    }

    private func tellUsage() {
        let sizes = inUse.filter { store.stored[$0] != nil }.compactMap { catalog?.packs[$0]?.storedSize }
        store.tellUsage(inUse: sizes.reduce(0, +))
    }
}
