import Synchronization

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
            needed = { $0.excess }
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
