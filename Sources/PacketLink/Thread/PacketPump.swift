import CLinux
import Glibc
import LinkModel
import SystemPackage

/// The work of the loop's thread: waits, reads in batches, lets the ``PacketLoop`` decide, writes.
struct PacketPump: ~Copyable {
    var loop: PacketLoop
    private var watch: PacketWatch
    private var client: PacketDevice
    private var host: PacketDevice
    private let wakeup: FileDescriptor
    private let listener: PacketLink.RouteListener?
    private var hasRoute = true
    private var busyDetector = BusyDetector()
    private var lastTurn = Instant(nanoseconds: 0)

    /// The most packets that are read from one end before the other end has its turn.
    private static let batch = 64
    /// The length of a turn while many packets wait for a rate or a delay.
    private static let busyTurn = Duration.microseconds(50)
    /// How long to wait before writing again to a device that had no memory, and reports no event when it has.
    private static let memoryPause = Duration.milliseconds(1)
    /// The scheduler's slice in nanoseconds: short enough to run soon after a wake-up, long enough for a batch.
    private static let slice: UInt64 = 100_000

    init(
        _ configuration: PacketLinkConfiguration, client: FileDescriptor, host: FileDescriptor, wakeup: FileDescriptor,
        recorder: (any PacketRecording)?, tellRoute: PacketLink.RouteListener? = nil
    ) throws(PacketLinkError) {
        let watch = try PacketWatch()
        try watch.watch(wakeup, .wakeup, isNew: true)
        let client = try PacketDevice(.client, client, isWatched: configuration.watches)
        let host = try PacketDevice(.host, host, isWatched: configuration.watches)
        for device in [client, host] {
            try device.port.makeNonBlocking()
            try watch.watch(device.port.descriptor, PacketWatch.Source(device.port.end), isNew: true)
        }
        loop = try PacketLoop(configuration, start: .monotonic(), recorder: recorder)
        self.watch = watch
        self.client = client
        self.host = host
        self.wakeup = wakeup
        listener = tellRoute
        // Older kernels have no such slices; packets are then a little later on a busy machine.
        _ = headwind_take_short_slices(Self.slice)
    }

    /// Waits for the next event or deadline, and handles it; returns whether another thread has woken this one.
    mutating func turn() throws(PacketLinkError) -> Bool {
        try update(.client)
        try update(.host)
        tellRoute()
        pace()
        let count = try watch.wait(until: nextDeadline())
        var isRung = false
        loop.advance(to: .monotonic())
        for index in 0..<count {
            let readiness = watch[index]
            switch PacketWatch.Source(rawValue: readiness.identifier) {
            case .client: try handle(readiness, .client)
            case .host: try handle(readiness, .host)
            case .wakeup:
                isRung = true
                wakeup.drain()
                try catchUp()
            case .timer: watch.drainTimer()
            case nil: break
            }
        }
        let now = Instant.monotonic()
        try flush(to: .host, at: now)
        try flush(to: .client, at: now)
        return isRung
    }

    /// Reads all packets that another component has moved so far, so that the counters are complete.
    mutating func catchUp() throws(PacketLinkError) {
        for end in End.allCases where port(end).tap != nil {
            // Packets that come meanwhile belong to the next call.
            for _ in 0..<PacketTap.most / Self.batch {
                guard try read(from: end) else { break }
                try flush(to: end.peer, at: .monotonic())
            }
        }
    }

    /// Adds the packets that were moved but not seen to the counters.
    mutating func noteMissed() {
        for end in End.allCases { loop.counters.missedPackets += port(end).tap?.missedPackets() ?? 0 }
    }

    /// Updates the client's routes and carrier when the link gains or loses its route.
    mutating func tellRoute() {
        guard loop.hasRoute != hasRoute else { return }
        hasRoute = loop.hasRoute
        // Without a carrier, the kernel drops packets without an error; so the routes are removed first.
        if !hasRoute { listener?(false) }
        client.setCarrier(hasRoute)
        if hasRoute { listener?(true) }
    }

    /// Makes turns at least ``busyTurn`` long while many packets wait, as a wake-up for each packet would cost more.
    private mutating func pace() {
        guard loop.isPaced else { return }
        let now = Instant.monotonic()
        let next = lastTurn + Self.busyTurn
        if busyDetector.isBusy(at: now), now < next {
            let (seconds, nanoseconds) = next.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
            unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
        }
        lastTurn = .monotonic()
    }

    /// When something is due even if no event comes.
    private mutating func nextDeadline() -> Instant? {
        var next = loop.nextDuty
        // A report need not be exact: the thread does not stay awake for it.
        if let report = loop.reportAt, next == report { next = report + WakeUp.mostLead }
        for end in End.allCases {
            let due = isBlocked(end) ? retryAt(end) : loop.nextDeadline(to: end)
            if let due { next = next.map { min($0, due) } ?? due }
        }
        return next
    }

    private mutating func handle(_ readiness: headwind_readiness, _ end: End) throws(PacketLinkError) {
        if readiness.writes { try unblock(end) }
        guard readiness.reads || readiness.broken else { return }
        let hasRead = try read(from: end)
        if readiness.broken, !hasRead { throw .ended(end) }
        try flush(to: end.peer, at: .monotonic())
    }

    /// Reads a batch; returns whether there was any packet.
    private mutating func read(from end: End) throws(PacketLinkError) -> Bool {
        let port = port(end)
        let isBlocked = isBlocked(end.peer)
        for count in 0..<Self.batch {
            guard !isBlocked || !loop.isDirect(from: end) else { return true }
            guard let slot = loop.slab.take() else { return try discard(from: end) || count > 0 }
            let length: Int?
            do throws(PacketLinkError) {
                length = try unsafe port.read(into: loop.slab.room(slot))
            } catch {
                loop.slab.release(slot)
                throw error
            }
            guard let length else {
                loop.slab.release(slot)
                return count > 0
            }
            // Each packet has its own time: it may have come after the first of its batch, and would be early.
            loop.receive(slot, length: length, from: end, at: .monotonic())
            busyDetector.add(1)
        }
        return true
    }

    /// Reads and drops a packet for which there is no slot; returns whether there was one.
    private mutating func discard(from end: End) throws(PacketLinkError) -> Bool {
        guard try port(end).discard() else { return false }
        loop.overflow(from: end)
        return true
    }

    /// Writes the packets that are due to one end.
    private mutating func flush(to end: End, at now: Instant) throws(PacketLinkError) {
        if let retryAt = retryAt(end), retryAt <= now { try unblock(end) }
        guard !isBlocked(end) else { return }
        while let departure = loop.next(to: end, at: now) {
            guard try write(departure, to: end, at: now) else { return }
        }
    }

    /// Writes again the packet for which the device had no room.
    private mutating func unblock(_ end: End) throws(PacketLinkError) {
        guard let departure = self[end].blocked else { return }
        self[end].blocked = nil
        self[end].retryAt = nil
        _ = try write(departure, to: end, at: .monotonic())
    }

    /// Writes one packet; false if the device has no room.
    private mutating func write(_ departure: Departure, to end: End, at now: Instant) throws(PacketLinkError) -> Bool {
        switch try unsafe port(end).write(loop.bytes(departure)) {
        case .done:
            busyDetector.add(1)
            loop.finish(departure, to: end, at: now)
        case .refused(let code):
            loop.refuse(departure, to: end, code: code, at: now)
        case .full:
            self[end].blocked = departure
            return false
        case .noMemory:
            self[end].blocked = departure
            self[end].retryAt = now + Self.memoryPause
            return false
        }
        return true
    }

    /// Watches one end only for the events that the thread waits for.
    private mutating func update(_ end: End) throws(PacketLinkError) {
        let reads = !isBlocked(end.peer) || !loop.isDirect(from: end)
        let writes = isBlocked(end) && retryAt(end) == nil
        let device = end == .client ? client : host
        guard reads != device.isReadWatched || writes != device.isWriteWatched else { return }
        try watch.watch(device.port.descriptor, PacketWatch.Source(end), reads: reads, writes: writes)
        self[end].isReadWatched = reads
        self[end].isWriteWatched = writes
    }

    // These accessors are for the path of every packet, as they copy no device; the subscript is for the rest.

    private func port(_ end: End) -> PacketPort { end == .client ? client.port : host.port }

    private func isBlocked(_ end: End) -> Bool { end == .client ? client.blocked != nil : host.blocked != nil }

    private func retryAt(_ end: End) -> Instant? { end == .client ? client.retryAt : host.retryAt }

    private subscript(end: End) -> PacketDevice {
        _read {
            switch end {
            case .client: yield client
            case .host: yield host
            }
        }
        _modify {
            switch end {
            case .client: yield &client
            case .host: yield &host
            }
        }
    }
}

/// Detects whether many packets cross the link.
struct BusyDetector {
    private var packets = 0
    private var start = Instant(nanoseconds: 0)
    private var isBusy = false

    private static let window: Int64 = 1_000_000
    /// The packets in a window from which a link is busy: 200 Mbit/s one way, with acknowledgements.
    private static let many = 24

    mutating func add(_ count: Int) { packets += count }

    /// Whether there were many packets in the last complete window.
    mutating func isBusy(at now: Instant) -> Bool {
        let passed = now.nanoseconds - start.nanoseconds
        if passed >= Self.window {
            isBusy = packets >= Self.many && passed < 2 * Self.window
            packets = 0
            start = now
        }
        return isBusy
    }
}
