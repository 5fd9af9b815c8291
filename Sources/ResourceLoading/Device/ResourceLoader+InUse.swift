import PackFormat
import Synchronization

/// The bytes of packs that are in use at once.
///
/// A pack counts with its manifest's size, or with its real size if that is larger.
extension ResourceLoader {
    /// Bytes of the packs that requests pin.
    func bytesInUse(_ state: LoaderState) -> Int64 {
        state.ledger.pinned.map { bytesInUse(of: $0, state) }.clampedSum
    }

    private func bytesInUse(of pack: String, _ state: LoaderState) -> Int64 {
        max(state.packs[pack]?.storedSize ?? 0, store.storedPack(pack)?.bytes ?? 0)
    }

    /// Why a pack that was just stored cannot be in use; nil if it can.
    ///
    /// This was checked before the download, unless the manifest states less than the real size.
    func excess(of stored: StoredPack, over pack: CatalogPack, _ state: inout LoaderState) -> ResourceError? {
        guard stored.bytes > pack.storedSize, let limit = configuration.limits[.inUse] else { return nil }
        var sizes: [String: Int64] = [:]
        for other in store.wantedElsewhere { sizes.merge(other.bytes, uniquingKeysWith: max) }
        for pack in state.ledger.wanted { sizes[pack] = max(sizes[pack] ?? 0, bytesInUse(of: pack, state)) }
        let bytes = sizes.values.clampedSum
        guard bytes > limit else { return nil }
        return .exceededMaximumSize(
            """
            The pack '\(stored.pack)' has \(stored.bytes) bytes, but its manifest says \(pack.storedSize): \(bytes) \
            bytes would be in use, over the limit of \(limit) ('\(configuration.limits.name)'). Build manifest and \
            packs again.
            """
        )
    }

    /// Why a request cannot have these packs, by the limits for its purpose; nil if it can.
    func limitError(_ packs: [CatalogPack], for purpose: RequestPurpose, _ state: inout LoaderState) -> ResourceError? {
        switch purpose {
        case .use: inUseError(packs, &state)
        case .install: installError(packs, state)
        case .prefetch: nil
        }
    }

    /// Advice about the packs of these tags, a sentence for each that stores refuse because of its size.
    ///
    /// They are loaded all the same. Empty if the catalog is not known yet.
    package func advice(on tags: Set<String>) -> [String] {
        let packs = state.withLock { (try? $0.catalog.known?.packs(for: tags)) ?? [] }
        let limits = configuration.limits
        guard let limit = limits[.pack] else { return [] }
        return packs.filter { $0.storedSize > limit }.map {
            "a store refuses the pack '\($0.identifier)': it has \($0.storedSize) bytes; the limit is \(limit) "
                + "(\(limits.name): \(limits.source))"
        }
    }

    /// Why these packs cannot be in use together with those that already are; nil if they can.
    ///
    /// Each pack counts once.
    func inUseError(_ packs: [CatalogPack], _ state: inout LoaderState) -> ResourceError? {
        guard let limit = configuration.limits[.inUse] else { return nil }
        var sizes: [String: Int64] = [:]
        let elsewhere = store.wantedElsewhere
        for other in elsewhere { sizes.merge(other.bytes) { max($0, $1) } }
        for pack in wantedForUse(state) { sizes[pack] = max(sizes[pack] ?? 0, bytesInUse(of: pack, state)) }
        let before = sizes.values.clampedSum
        let present = Set(sizes.keys)
        for pack in packs { sizes[pack.identifier] = max(pack.storedSize, bytesInUse(of: pack.identifier, state)) }
        let after = sizes.values.clampedSum
        guard after > limit else { return nil }
        let holders =
            state.ledger.holders.compactMap { key, packs -> String? in
                guard let request = state.open[key], request.purpose == .use else { return nil }
                let id = request.id
                return "'\(id)' \(packs.map { sizes[$0] ?? 0 }.clampedSum) bytes"
            }
            + elsewhere.filter { !$0.bytes.isEmpty }.map { "process \($0.process) \($0.bytes.values.clampedSum) bytes" }
        let asked = packs.filter { !present.contains($0.identifier) }
            .map { (size: sizes[$0.identifier] ?? 0, name: $0.identifier) }.sorted { $0 > $1 }
        let most = 10
        let rest = asked.count > most ? " and \(asked.count - most) more" : ""
        let wanted = asked.prefix(most).map { "'\($0.name)' \($0.size) bytes" }.joined(separator: ", ") + rest
        let now = holders.isEmpty ? "Nothing is in use now." : "In use now: \(holders.joined(separator: ", "))."
        return .exceededMaximumSize(
            """
            The resources would raise the bytes in use from \(before) to \(after), over the limit of \(limit) \
            ('\(configuration.limits.name)'). Asked for: \(wanted). \(now) End requests first, or use smaller tags.
            """
        )
    }
}

/// Lets one of several processes that want a pack download it, while the others wait.
extension ResourceLoader {
    /// How often to try a lock that another process has.
    ///
    /// flock(2) reports a free lock only to a caller that blocks, and a wait must be cancellable.
    private static let turn = Duration.milliseconds(50)
    /// How often to check the progress of another process's download.
    private static let look = Duration.milliseconds(250)

    /// Waits until no other process downloads the pack, as long as that one makes progress.
    ///
    /// Throws `silent` if it makes none for the whole patience, which does not run while this download is held back
    /// itself.
    func lease(of pack: CatalogPack, _ pause: TransferPause) async throws(DownloadFailure) -> FileLock {
        let path = store.layout.lease(of: pack.identifier)
        let patience = configuration.transfers.patience.nanoseconds
        let lease = try DownloadFailure.ofStore { () throws(StoreError) in try FileLock(path) }
        var (seen, since) = (signOfLife(of: pack), pause.ownTime)
        var looked = since
        while try !DownloadFailure.ofStore({ () throws(StoreError) in try lease.tryLock(.exclusive) }) {
            pause.setIdle(true)
            do { try await Task.sleep(for: Self.turn) } catch {
                throw DownloadFailure(.cancelled, "The download was cancelled.")
            }
            let now = pause.ownTime
            guard now - looked >= Self.look.nanoseconds else { continue }
            looked = now
            let sign = signOfLife(of: pack)
            if sign != seen { (seen, since) = (sign, now) }
            guard now - since <= patience else {
                throw DownloadFailure(.silent, "Another process is downloading the pack, but makes no progress.")
            }
        }
        // From here on, this process knows what the other one has stored.
        try DownloadFailure.ofStore { () throws(StoreError) in try store.want([]) }
        return lease
    }

    /// Sizes in bytes that change while a pack is downloaded or unpacked.
    private func signOfLife(of pack: CatalogPack) -> [Int64] {
        let unpacked = try? FileSystem.totalSize(of: store.layout.temporary)
        return [store.layout.partial(of: pack.identifier).size, unpacked ?? 0]
    }
}
