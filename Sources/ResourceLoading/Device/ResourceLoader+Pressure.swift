import Synchronization

/// A system that needs room which no request asks for.
extension ResourceLoader {
    /// Takes room of the device, or frees packs: first an app that runs is told that there is little room, then what is still
    /// needed is purged.
    ///
    /// What requests pin or wait for stays, and so does the room that was promised to downloads. Where all that may go is not
    /// enough it goes all the same, and `room` tells what is missing. Nothing is told and purged where nothing is needed. An
    /// app's handlers of the notification have run when the purge begins. Throws what the file system answers.
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
