package import Events
import PackFormat
import Synchronization
import SystemPackage

extension ResourceLoader {
    /// Begins a request: `completion` is called once, when everything is there and pinned, or with the reason why not.
    ///
    /// `id` names the request in events and messages. A request that begins paused fetches nothing until it is resumed.
    /// With a `refusal` (default: nil) it fails with that error at once. The request must be ended by `end`, also after
    /// an error.
    package func begin(
        id: String,
        tags: Set<String>,
        priority: LoadingPriority = .normal(0.5),
        isPaused: Bool = false,
        purpose: RequestPurpose = .use,
        refusal: ResourceError? = nil,
        completion: @escaping Completion
    ) -> RequestKey {
        queue.emit(.request) {
            ($0.id, $0.tags, $0.priority) = (id, tags.sorted(), priority)
            $0.prefetch = purpose == .prefetch ? true : nil
        }
        let (key, catalog) = state.withLock { state -> (AccessLedger.Key, ResourceCatalog?) in
            state.nextKey += 1
            let key = state.nextKey
            state.open[key] = .init(
                id: id, tags: tags, priority: priority, isPaused: isPaused, purpose: purpose,
                callback: Callback(completion))
            if let refusal = state.isClosed ? .cancelled : refusal {
                fail(key, refusal, &state)
                return (key, nil)
            }
            return (key, wait(key, &state))
        }
        if let catalog { admit([key], catalog) }
        return RequestKey(value: key)
    }

    /// Begins a request and waits for its callback; returns its error, nil if everything is there and pinned.
    ///
    /// The request must be ended by `end`, also after an error. Cancelling the task cancels the request.
    package func request(
        id: String,
        tags: Set<String>,
        priority: LoadingPriority = .normal(0.5)
    ) async -> (key: RequestKey, error: ResourceError?) {
        let begun = Mutex<RequestKey?>(nil)
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let key = begin(id: id, tags: tags, priority: priority) { continuation.resume(returning: $0) }
                begun.withLock { $0 = key }
                // If the cancellation handler ran before this, it found no key to cancel.
                if Task.isCancelled { cancel(key) }
            }
        } onCancel: {
            if let key = begun.withLock({ $0 }) { cancel(key) }
        }
        guard let key = begun.withLock({ $0 }) else { preconditionFailure("who was called back has begun") }
        return (key, error)
    }

    /// Begins a request and pins its packs if all of them are stored; otherwise does nothing and returns nil.
    ///
    /// It never uses the network: without a catalog from this or an earlier run it returns nil.
    package func beginIfStored(
        id: String,
        tags: Set<String>,
        priority: LoadingPriority = .normal(0.5)
    ) -> RequestKey? {
        guard let catalog = state.withLock({ $0.catalog.known }) ?? storedCatalog(),
            let packs = try? catalog.packs(for: tags)
        else { return nil }
        let key: AccessLedger.Key? = state.withLock { state in
            guard !state.isClosed else { return nil }
            // The packs are wanted before they are checked: what is stored from here on stays.
            defer { store.setWanted(state.ledger.wanted) }
            guard (try? want(packs, &state)) != nil,
                inUseError(packs, &state) == nil,
                packs.allSatisfy({ stored($0, for: .use) != nil })
            else { return nil }
            state.nextKey += 1
            queue.emit(.request) { ($0.id, $0.tags, $0.priority) = (id, tags.sorted(), priority) }
            state.open[state.nextKey] = .init(id: id, tags: tags, priority: priority, callback: Callback { _ in })
            begin(state.nextKey, packs, missing: [], &state)
            return state.nextKey
        }
        return key.map(RequestKey.init)
    }

    /// Changes how soon a request's packs are loaded, from now on.
    package func setPriority(_ priority: LoadingPriority, of key: RequestKey) {
        state.withLock { state in
            guard let id = state.open[key.value]?.id, state.open[key.value]?.priority != priority else { return }
            state.open[key.value]?.priority = priority
            queue.emit(.priority) { ($0.id, $0.priority) = (id, priority) }
            perform(state.ledger.setPriority(priority, of: key.value), &state)
        }
    }

    /// Pauses a request's transfers, or resumes them where they are.
    ///
    /// A paused request is called back only if other requests bring what it lacks.
    package func setPaused(_ isPaused: Bool, of key: RequestKey) {
        state.withLock { state in
            guard let id = state.open[key.value]?.id, state.open[key.value]?.isPaused != isPaused else { return }
            state.open[key.value]?.isPaused = isPaused
            queue.emit(isPaused ? .paused : .resumed) { $0.id = id }
            perform(state.ledger.setPaused(isPaused, of: key.value), &state)
        }
    }

    /// Cancels a request that was not called back yet: its callback gets 3072.
    ///
    /// Later calls do nothing.
    package func cancel(_ key: RequestKey) {
        state.withLock { state in
            guard state.open[key.value]?.callback != nil else { return }
            fail(key.value, .cancelled, &state)
            perform(state.ledger.end(key.value), &state)
        }
    }

    /// Ends a request: packs that only it had pinned may be purged now.
    ///
    /// One that was not called back yet is cancelled.
    package func end(_ key: RequestKey) {
        cancel(key)
        state.withLock { state in
            // A request that is released after `close` has nothing left to give back.
            guard let request = state.open.removeValue(forKey: key.value), !state.isClosed else { return }
            let used = state.ledger.pinned
            perform(state.ledger.end(key.value), &state)
            store.note(pinned: state.ledger.pinned, used: used.subtracting(state.ledger.pinned))
            queue.emit(.ended) { $0.id = request.id }
            tellUsage(&state)
        }
    }

    /// The folders of the packs that requests pin, sorted by pack.
    package var foldersInUse: [String] {
        state.withLock { state in state.ledger.pinned.sorted().map { store.folder(of: $0).string } }
    }

    /// Resolves requests that wait for this catalog, and starts the jobs for what they lack.
    func admit(_ keys: [AccessLedger.Key], _ catalog: ResourceCatalog) {
        state.withLock { state in
            for key in keys {
                guard let request = state.open[key], request.callback != nil else { continue }
                do throws(ResourceError) {
                    let packs = try catalog.packs(for: request.tags)
                    try want(packs, &state)
                    if let error = limitError(packs, for: request.purpose, &state) { throw error }
                    let missing = packs.filter { stored($0, for: request.purpose) == nil }
                    if !missing.isEmpty {
                        if let refusal = configuration.networkRefusal(on: state.radio) { throw refusal }
                        try makeRoom(for: missing, with: packs, &state)
                    }
                    begin(key, packs, missing: missing, &state)
                } catch {
                    fail(key, error, &state)
                    store.setWanted(state.ledger.wanted)
                }
            }
        }
    }

    private func begin(
        _ key: AccessLedger.Key,
        _ packs: [CatalogPack],
        missing: [CatalogPack],
        _ state: inout LoaderState
    ) {
        for pack in packs { state.packs[pack.identifier] = pack }
        var parts: [String: ProgressMeter.Part] = [:]
        for pack in missing {
            let arrived = state.jobs[pack.identifier]?.receiver?.count.load(ordering: .relaxed)
            let before = arrived ?? store.partialBytes(of: pack.identifier, pack.edition)
            parts[pack.identifier] = .init(completed: before, total: pack.downloadSize ?? pack.storedSize)
        }
        let meter = ProgressMeter(parts: parts)
        state.open[key]?.meter = meter
        if let id = state.open[key]?.id { emit(meter.reading, id) }
        let actions = state.ledger.begin(
            key,
            packs: Set(packs.map(\.identifier)),
            missing: Set(missing.map(\.identifier)),
            priority: state.open[key]?.priority ?? .normal(0.5),
            isPaused: state.open[key]?.isPaused ?? false
        )
        perform(actions, &state)
    }

    /// Wants packs, so that those of them that are stored stay.
    private func want(_ packs: [CatalogPack], _ state: inout LoaderState) throws(ResourceError) {
        let sizes = Dictionary(packs.map { ($0.identifier, $0.storedSize) }, uniquingKeysWith: max)
        let kept = state.ledger.wanted.union(sizes.keys)
        try relieved(keeping: kept) { () throws(StoreError) in try store.want(Set(sizes.keys), sizes: sizes) }
    }

    /// Runs `body`, which writes what this process wants; if the file system is full, purges and tries again while that
    /// helps.
    private func relieved<Value>(
        keeping kept: Set<String>, _ body: () throws(StoreError) -> Value
    ) throws(ResourceError) -> Value {
        while true {
            do throws(StoreError) { return try body() } catch {
                if error.isOutOfSpace, let relief = try? store.purge(atLeast: 1, keeping: kept), relief.freed > 0 {
                    tell(relief)
                    continue
                }
                if error.isOutOfSpace { tellLowSpace() }
                throw DownloadFailure(error).resourceError(of: "packs")
            }
        }
    }

    /// Reserves room for missing packs, before a byte is fetched.
    func makeRoom(
        for missing: [CatalogPack],
        with packs: [CatalogPack] = [],
        _ state: inout LoaderState
    ) throws(ResourceError) {
        let wishes = Dictionary(uniqueKeysWithValues: missing.map { ($0.identifier, $0.room) })
        let kept = state.ledger.wanted.union(packs.map(\.identifier))
        let relief = try relieved(keeping: kept) { () throws(StoreError) in try store.reserve(wishes, keeping: kept) }
        guard relief.missing > 0 else { return tell(relief) }
        tellLowSpace()
        throw .outOfSpace(
            """
            The device has no room for \(wishes.values.clampedSum) bytes of packs and downloads: its \(store.capacity ?? 0) \
            bytes are \(relief.missing) too few, even after a purge. End requests that pin packs.
            """
        )
    }
}
