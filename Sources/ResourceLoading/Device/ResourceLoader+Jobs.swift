import Synchronization

extension ResourceLoader {
    /// Starts the job of a pack, unless the request that wanted it is gone by now.
    func start(_ pack: String, _ state: inout LoaderState) {
        guard state.ledger.isRunning(pack), state.jobs[pack] == nil else { return }
        guard !state.isClosed else { return perform(state.ledger.failed(pack, .cancelled), &state) }
        guard let pack = state.packs[pack] else { preconditionFailure("a job's pack was resolved before") }
        do throws(ResourceError) {
            // Room was reserved when the request began, but was released if the request was paused since.
            try makeRoom(for: [pack], &state)
        } catch {
            return perform(state.ledger.failed(pack.identifier, error), &state)
        }
        let pause = TransferPause { [weak self] isIdle in
            self?.state.withLock { self?.perform($0.ledger.setIdle(isIdle, pack.identifier), &$0) }
        }
        state.jobs[pack.identifier] = .init(pack: pack, task: Task { await run(pack, pause) }, pause: pause)
    }

    private func run(_ pack: CatalogPack, _ pause: TransferPause) async {
        let outcome: Result<StoredPack, DownloadFailure>
        do { outcome = .success(try await fetch(pack, pause)) } catch { outcome = .failure(error) }
        state.withLock { state in
            state.jobs[pack.identifier] = nil
            switch outcome {
            case .success(let stored):
                finishPart(of: pack, &state)
                queue.emit(.stored) { ($0.pack, $0.bytes) = (pack.identifier, stored.bytes) }
                tellUsage(&state)
                if let error = excess(of: stored, over: pack, &state) {
                    perform(state.ledger.failed(pack.identifier, error), &state)
                } else {
                    perform(state.ledger.stored(pack.identifier), &state)
                }
            case .failure(let failure):
                store.release(pack.identifier)
                tellUsage(&state)
                // Once for a request: when its other packs fail in the same way, no request wants them any more.
                if failure.kind == .noSpace, state.ledger.isWanted(pack.identifier) { tellLowSpace() }
                let error = failure.resourceError(of: "pack '\(pack.identifier)'")
                perform(state.ledger.failed(pack.identifier, error), &state)
            }
        }
    }

    /// Marks a pack as complete in every meter.
    private func finishPart(of pack: CatalogPack, _ state: inout LoaderState) {
        for key in state.open.keys {
            guard let part = state.open[key]?.meter?.parts[pack.identifier] else { continue }
            state.open[key]?.meter?.update(pack.identifier, .init(completed: part.total, total: part.total))
        }
    }

    /// Downloads a pack and stores it.
    ///
    /// If the file system is full, it purges what may be removed, as long as that helps. It waits for another process
    /// that downloads the same pack. When that one ends, in whatever way, this one continues with what it has left.
    private func fetch(_ pack: CatalogPack, _ pause: TransferPause) async throws(DownloadFailure) -> StoredPack {
        while true {
            do {
                return try await fetchAlone(pack, pause)
            } catch {
                // Without an underlying error the device is full, and the check for that has considered a purge
                // already.
                guard error.kind == .noSpace, error.underlying != nil, try relieve(for: pack) else { throw error }
            }
        }
    }

    private func fetchAlone(_ pack: CatalogPack, _ pause: TransferPause) async throws(DownloadFailure) -> StoredPack {
        let lease = try await lease(of: pack, pause)
        defer { lease.unlock() }
        if let stored = store.storedPack(pack.identifier, pack.edition) {
            store.release(pack.identifier)
            return stored
        }
        // Checked before a byte is fetched that no request could use.
        try DownloadFailure.ofStore { () throws(StoreError) in
            try store.refuseWhilePinned(pack.identifier, pack.edition)
        }
        return try await fetchOnce(pack, pause)
    }

    private func fetchOnce(_ pack: CatalogPack, _ pause: TransferPause) async throws(DownloadFailure) -> StoredPack {
        let hooks = PartialReceiver.Hooks(
            responded: responded(pack.identifier),
            room: { [weak self] bytes in self?.room(for: pack, files: 0, download: bytes) })
        let receiver = try PartialReceiver(
            pack: pack.identifier, edition: pack.edition, expected: pack.expectation,
            partial: store.layout.partial(of: pack.identifier), hooks: hooks)
        state.withLock { $0.jobs[pack.identifier]?.receiver = receiver }
        var stored: StoredPack?
        var download = download(pack.identifier, from: pack.url, receiver)
        download.pause = pause
        download.isSparing = true
        let file = receiver.partial.data
        try await download.run { size throws(DownloadFailure) in
            // The manifest may state less than the real sizes.
            let files = try await store.unpackedBytes(of: file, as: pack)
            if let failure = room(for: pack, files: files, download: size) { throw failure }
            let unpacked = try await store.unpack(file, as: pack)
            queue.emit(.verified) { ($0.pack, $0.bytes) = (pack.identifier, size) }
            stored = try await store.publish(unpacked)
        }
        guard let stored else { preconditionFailure("a download that ends well was accepted") }
        return stored
    }

    /// A download that reports events under a pack's name.
    func download(_ pack: String, from url: String, _ receiver: PartialReceiver) -> Download {
        let hooks = Download.Hooks(
            fetching: { [queue] url, from, number in
                queue.emit(.fetch) { ($0.pack, $0.url, $0.from, $0.try) = (pack, url, from, number) }
            },
            received: { [queue, store] bytes in
                // What arrived may be discarded next.
                store.notePeak()
                queue.emit(.received) { ($0.pack, $0.bytes) = (pack, bytes) }
            },
            retrying: { [queue] pause, reason in
                queue.emit(.retry) { ($0.pack, $0.after, $0.reason) = (pack, Double(pause.nanoseconds) / 1e9, reason) }
            },
            pause: configuration.pause
        )
        var download = Download(url: url, receiver: receiver, loop: transfers, hooks: hooks)
        download.receipts = state.withLock(\.receipts)
        return download
    }

    /// The hook that reports a response's head.
    func responded(_ pack: String) -> @Sendable (Int, Int64?, Int64) -> Void {
        { [queue] status, length, from in
            queue.emit(.response) { ($0.pack, $0.status, $0.length, $0.from) = (pack, status, length, from) }
        }
    }

    /// Reserves room for files or a download whose size is known only now; returns why there is none, nil if there is.
    private func room(for pack: CatalogPack, files: Int64, download: Int64) -> DownloadFailure? {
        let bytes = pack.room(files: files, download: download)
        guard bytes > pack.room else { return nil }
        return state.withLock { state in
            do throws(StoreError) {
                let relief = try store.reserve([pack.identifier: bytes], keeping: state.ledger.wanted)
                guard relief.missing == 0 else {
                    let text = "The device is full: it lacks \(relief.missing) bytes, even after a purge."
                    return DownloadFailure(.noSpace, text)
                }
                tell(relief)
                return nil
            } catch {
                return DownloadFailure(error)
            }
        }
    }

    /// Purges as much as a full file system lacks; false if nothing can be removed.
    private func relieve(for pack: CatalogPack) throws(DownloadFailure) -> Bool {
        let kept = state.withLock { $0.ledger.wanted }
        let arrived = store.layout.partial(of: pack.identifier).size
        let missing = max(1, max(0, pack.room - arrived) - FileSystem.available(at: store.root))
        let relief = try DownloadFailure.ofStore { () throws(StoreError) in
            try store.purge(atLeast: missing, keeping: kept)
        }
        tell(relief)
        return relief.freed > 0
    }
}
