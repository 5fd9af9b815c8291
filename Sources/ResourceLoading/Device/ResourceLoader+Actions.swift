import Synchronization

extension ResourceLoader {
    /// The name of the notification that asks an app to release resources.
    package static let lowDiskSpaceNotification = "NSBundleResourceRequestLowDiskSpaceNotification"

    /// Performs the ledger's actions, in order.
    func perform(_ actions: [AccessLedger.Action], _ state: inout LoaderState) {
        for action in actions {
            switch action {
            case .start(let pack): start(pack, &state)
            case .drop(let pack): store.release(pack)
            case .stop(let pack): stop(pack, &state)
            case .pause(let pack, let isOn):
                // A transfer that waits for a higher priority gives up its connection; a paused one keeps it.
                let yields = state.ledger.isWanted(pack) && state.jobs[pack]?.receiver?.canResume == true
                state.jobs[pack]?.pause.set(isOn, yields: yields)
                transfers.wakeUp()
            case .failed(let key, let error): fail(key, error, &state)
            case .available(let key): succeed(key, &state)
            }
        }
        store.setWanted(state.ledger.wanted)
        transfers.setUrgent(state.ledger.isUrgent)
    }

    private func stop(_ pack: String, _ state: inout LoaderState) {
        if let job = state.jobs[pack] { return job.task.cancel() }
        // Its start was to follow in these actions, so no job would report its end.
        store.release(pack)
        perform(state.ledger.failed(pack, .cancelled), &state)
    }

    private func succeed(_ key: AccessLedger.Key, _ state: inout LoaderState) {
        guard let callback = state.open[key]?.callback, let id = state.open[key]?.id else { return }
        if let reading = state.open[key]?.meter?.finish() { emit(reading, id) }
        state.open[key]?.callback = nil
        store.note(pinned: state.ledger.pinned, used: state.ledger.pinned)
        queue.emit(.available) { $0.id = id }
        tellUsage(&state)
        queue.complete { callback.call(nil) }
    }

    /// Calls a request back with an error, once.
    ///
    /// Its entry stays until the request is ended.
    func fail(_ key: AccessLedger.Key, _ error: ResourceError, _ state: inout LoaderState) {
        guard let callback = state.open[key]?.callback, let id = state.open[key]?.id else { return }
        let error = error.named(by: configuration.delivery)
        advance(key, &state)
        state.open[key]?.callback = nil
        // A pack is not where the catalog says: its address has expired, or the host has another build by now. The next
        // request fetches the catalog again.
        if error.domain == .url, error.code == DownloadFailure.Kind.absent.urlErrorCode,
            case .known = state.catalog
        {
            state.catalog = .unknown
        }
        queue.emit(.error) { error.tell(in: &$0, of: id) }
        queue.complete { callback.call(error) }
    }

    /// Reports every request's progress; called by the transfer loop's thread.
    func tellProgress() {
        state.withLock { state in
            for key in state.open.keys.sorted() where state.open[key]?.callback != nil { advance(key, &state) }
        }
    }

    /// Reports one request's progress, if it has changed.
    private func advance(_ key: AccessLedger.Key, _ state: inout LoaderState) {
        guard let id = state.open[key]?.id, let packs = state.open[key]?.meter?.parts.keys else { return }
        for pack in packs {
            guard let job = state.jobs[pack], let receiver = job.receiver else { continue }
            let arrived = receiver.count.load(ordering: .relaxed)
            let said = receiver.total.load(ordering: .relaxed)
            let total = job.pack.downloadSize ?? (said > 0 ? said : job.pack.storedSize)
            state.open[key]?.meter?.update(pack, .init(completed: arrived, total: max(total, arrived)))
        }
        if let reading = state.open[key]?.meter?.advance() { emit(reading, id) }
    }

    func emit(_ reading: ProgressMeter.Reading, _ id: String) {
        queue.emit(.progress) {
            ($0.id, $0.fraction) = (id, reading.fraction)
            ($0.completed, $0.total) = (reading.completed, reading.total)
        }
    }

    func tell(_ relief: PackStore.Relief) {
        for purge in relief.purges {
            queue.emit(.purged) { ($0.pack, $0.bytes, $0.bundle) = (purge.pack, purge.bytes, purge.bundle) }
        }
        guard relief.freed > 0 || relief.missing > 0 else { return }
        queue.emit(.room) {
            ($0.needed, $0.freed) = (relief.needed, relief.freed)
            $0.missing = relief.missing > 0 ? relief.missing : nil
        }
    }

    /// Asks this app, and every other that runs on the device, to release resources.
    func tellLowSpace() {
        // Background Assets have no such notification.
        guard configuration.delivery == .onDemandResources else { return }
        queue.emit(.notification) { $0.name = Self.lowDiskSpaceNotification }
        lowSpace?.post()
    }

    func tellUsage(_ state: inout LoaderState) {
        store.notePeak()
        queue.emit(.usage) { ($0.stored, $0.inUse, $0.peak) = (store.stored, bytesInUse(state), store.peak) }
    }
}

/// Storage pressure: the system needs room that no request asks for.
extension ResourceLoader {
    /// Takes room of the device, or frees packs: notifies a running app first, then purges what is still needed.
    ///
    /// What requests pin or wait for stays, and so does the room that is reserved for downloads. If all that may be
    /// removed is not enough, it is removed all the same, and the `room` event reports what is missing. If nothing is
    /// needed, no app is notified and nothing is purged. The app's handlers of the notification have run when the purge
    /// begins. Throws the file system's error.
    package func press(_ pressure: StoragePressure, isAppRunning: Bool) async throws(StoreError) {
        let stored = store.exclusively(\.storedOnDevice)
        let needed: @Sendable (StoreInventory) -> Int64
        switch pressure {
        case .fill(let bytes):
            store.take(bytes)
            tell(.fill) { $0.bytes = bytes }
            needed = { $0.shortage(with: $0.reservations) }
        case .purge(let bytes):
            tell(.purge) { $0.bytes = bytes }
            needed = { $0.stillNeeded(bytes, since: stored) }
        }
        guard store.exclusively({ needed($0) }) > 0 else { return }
        if isAppRunning {
            tellLowSpace()
            await queue.drain()
        }
        try state.withLock { state throws(StoreError) in
            store.notePeak()
            let kept = state.ledger.wanted
            tell(try store.relieve(keeping: kept, isAppRunning: isAppRunning, needed: needed))
            tellUsage(&state)
        }
    }
}
