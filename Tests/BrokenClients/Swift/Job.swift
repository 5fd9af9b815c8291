import Foundation

/// The download of one pack, for all requests that want it, on a thread of its own.
final class Job: DownloadHooks {
    let pack: Pack
    /// Its place in the order of requests.
    let number: Int
    var isRunning = false
    private unowned let device: Device
    private var download: Download?

    init(_ pack: Pack, number: Int, _ device: Device) {
        (self.pack, self.number, self.device) = (pack, number, device)
    }

    var waiters: [Request] { device.open.filter { $0.missing.contains(pack) } }
    var priority: Double { waiters.filter { !$0.isPaused }.map(\.priority).max() ?? -1 }
    var isPaused: Bool { !waiters.isEmpty && waiters.allSatisfy(\.isPaused) }

    func hold() throws -> Bool {
        try device.lock.withLock {
            // BUG: even if no request wants it.
            if waiters.isEmpty, !device.bugs.has(.ignoresCancel) {
                throw Failure(.cancelled, "Nobody wants it any more.")
            }
            if priority <= 1, device.schedule.isUrgent, !isPaused { throw Yielded() }
            return isPaused
        }
    }

    func asked(_ url: String, from: Int64, try number: Int) {
        tell("fetch", ["url": url, "from": from, "try": number])
    }
    func answered(_ head: Head) {
        tell("response", ["status": head.status, "from": head.range.from ?? 0, "length": head.length])
    }
    func received(_ bytes: Int64) { tell("received", ["bytes": bytes]) }
    func retrying(in seconds: Double, because reason: String) { tell("retry", ["after": seconds, "reason": reason]) }
    func progressed(_ size: Int64, of total: Int64?) { device.progressed(pack, size, total) }

    private func tell(_ event: String, _ members: [String: Any?]) {
        device.events.tell(event, members.merging(["pack": pack.identifier]) { first, _ in first })
    }

    func run() {
        do {
            while true {
                do {
                    try fetch()
                    break
                } catch let failure as Failure where failure.kind == .noSpace {
                    guard device.relieve() else { throw failure }
                }
            }
            device.done(self, nil)
        } catch is Yielded {
            device.yielded(self)
        } catch {
            var failure = error as? Failure ?? Failure(.unwritable, "\(error)")
            if "\(error)".contains("No space left") { failure.kind = .noSpace }
            if device.bugs.has(.keepsPartialAsWhole) { keep() }
            // BUG: files next to the store are somebody else's.
            if device.bugs.has(.harmsOtherFiles) { Part.tidy("\(device.store.root)/..") { $0.hasSuffix(".txt") } }
            device.done(self, failure)
        }
    }

    private func fetch() throws {
        let path = device.store.partial(pack)
        let part = try Part(path + ".part", note: path + ".json", device.bugs)
        let download =
            download
            ?? Download(
                pack.url, device.way, device.bugs, draw: Draw(seed: device.seed, key: pack.identifier), hooks: self,
                size: pack.size, isChecked: pack.digest != nil)
        self.download = download
        try download.run(into: part) { part in
            let bytes = try Installation(pack: pack, path: part.path, store: device.store, bugs: device.bugs)
                .run(lock: device.lock)
            tell("verified", ["bytes": part.size])
            tell("stored", ["bytes": bytes])
        }
        part.remove()
    }

    /// BUG: turns the part of a failed download into the pack, though its request gets the failure.
    private func keep() {
        let path = device.store.partial(pack) + ".part"
        guard Double(device.store.arrived(pack)) > device.bugs.keptShare * Double(pack.size ?? pack.room) else {
            return
        }
        device.lock.withLock {
            let folder = device.store.temporary(pack)
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            rename(path, "\(folder)/\(pack.fileName ?? "pack.assetpack")")
            _ = try? device.store.publish(pack, folder)
        }
    }
}

/// Chooses the jobs that run: urgent ones alone while there are any, else a few with the highest priority.
final class Schedule {
    private(set) var jobs: [String: Job] = [:]
    private unowned let device: Device
    private let parallel: Int
    private var count = 0

    init(_ device: Device, parallel: Int) {
        self.device = device
        self.parallel = device.bugs.has(.ignoresPriority) ? 1 : parallel
    }

    /// Starts a job for a pack, unless it has one.
    func want(_ pack: Pack) {
        guard jobs[pack.identifier] == nil else { return }
        count += 1
        jobs[pack.identifier] = Job(pack, number: count, device)
    }

    // BUG: nothing is urgent.
    var isUrgent: Bool { !device.bugs.has(.ignoresPriority) && jobs.values.contains { $0.priority > 1 } }

    /// Starts the jobs that may run.
    ///
    /// Call it after every change that may allow one.
    func pump() {
        let isInOrder = device.bugs.has(.ignoresPriority)
        let ranked = jobs.values.sorted {
            (isInOrder ? 0 : -$0.priority, $0.number) < (isInOrder ? 0 : -$1.priority, $1.number)
        }
        let isUrgent = isUrgent
        var running = jobs.values.count { $0.isRunning }
        for job in ranked where !job.isRunning && !job.waiters.isEmpty && !job.isPaused {
            guard isUrgent ? job.priority > 1 : running < parallel else { continue }
            job.isRunning = true
            running += 1
            nonisolated(unsafe) let started = job
            Thread.detachNewThread { started.run() }
        }
    }

    func forget(_ job: Job) { jobs[job.pack.identifier] = nil }

    /// Forgets jobs that no request wants, and that have not begun.
    func drop() {
        for job in jobs.values where job.waiters.isEmpty && !job.isRunning {
            forget(job)
            device.store.giveBack(job.pack.identifier)
        }
    }
}
