import LinuxSupport
import Synchronization

/// Of several processes that want a pack one downloads it, and the others wait.
extension ResourceLoader {
    /// How often a lock is tried that another process has: flock(2) tells nobody when one becomes free but who blocks
    /// for it, and a wait must be cancellable.
    private static let turn = Duration.milliseconds(50)
    /// How often a download of another process is looked at.
    private static let look = Duration.milliseconds(250)

    /// Waits until no other process downloads the pack, as long as that one goes on.
    ///
    /// Throws `silent` where nothing of it has moved for the whole patience, which does not run while this one is held
    /// back itself.
    func lease(of pack: CatalogPack, _ pause: TransferPause) async throws(DownloadFailure) -> FileLock {
        let path = store.layout.lease(of: pack.identifier)
        let patience = configuration.transfers.patience.nanoseconds
        let lease: FileLock
        do throws(StoreError) { lease = try FileLock(path) } catch { throw DownloadFailure(error) }
        var (seen, since) = (signOfLife(of: pack), ownTime(pause))
        var looked = since
        while try !take(lease) {
            do { try await Task.sleep(for: Self.turn) } catch {
                throw DownloadFailure(.cancelled, "The download was cancelled.")
            }
            let now = ownTime(pause)
            guard now - looked >= Self.look.nanoseconds else { continue }
            looked = now
            let sign = signOfLife(of: pack)
            if sign != seen { (seen, since) = (sign, now) }
            guard now - since <= patience else {
                throw DownloadFailure(.silent, "Another process downloads the pack, and does not go on with it.")
            }
        }
        // What the other one has stored is known from here on.
        do throws(StoreError) { try store.want([]) } catch { throw DownloadFailure(error) }
        return lease
    }

    private func take(_ lease: borrowing FileLock) throws(DownloadFailure) -> Bool {
        do throws(StoreError) { return try lease.tryLock(.exclusive) } catch { throw DownloadFailure(error) }
    }

    /// A clock that stands while the pack is held back, in nanoseconds.
    private func ownTime(_ pause: TransferPause) -> Int64 {
        let now = MonotonicClock.now
        return now - pause.held(until: now)
    }

    /// What changes while a pack is downloaded or unpacked.
    private func signOfLife(of pack: CatalogPack) -> [Int64] {
        let unpacked = try? FileSystem.totalSize(of: store.layout.temporary)
        return [store.layout.partial(of: pack.identifier).size, unpacked ?? 0]
    }
}
