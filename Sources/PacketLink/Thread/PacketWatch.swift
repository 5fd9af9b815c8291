import CLinux
import Glibc
import LinkModel
import SystemPackage

/// The events for which the loop's thread sleeps: descriptors, a timer, and wake-ups by other threads.
struct PacketWatch: ~Copyable {
    enum Source: UInt64 {
        case client
        case host
        case timer
        case wakeup

        init(_ end: End) { self = end == .client ? .client : .host }
    }

    private let epoll: FileDescriptor
    private let timer: FileDescriptor
    /// When the timer fires; nil if it is not set.
    private var armed: Instant?
    private var wakeUp = WakeUp(now: .monotonic())
    private var ready = [headwind_readiness](repeating: headwind_readiness(), count: 4)

    init() throws(PacketLinkError) {
        let epoll = headwind_epoll_create()
        guard epoll >= 0 else { throw .resource(attempt: "open a set of watched descriptors", code: errno) }
        let timer = headwind_timer_open()
        guard timer >= 0, headwind_readiness_watch(epoll, timer, Source.timer.rawValue, true, false, true) == 0 else {
            let code = errno
            if timer >= 0 { close(timer) }
            close(epoll)
            throw .resource(attempt: "open a timer", code: code)
        }
        self.epoll = FileDescriptor(rawValue: epoll)
        self.timer = FileDescriptor(rawValue: timer)
    }

    deinit {
        try? epoll.close()
        try? timer.close()
    }

    /// Watches a descriptor if it `isNew`, else changes the events that are watched.
    func watch(
        _ descriptor: FileDescriptor, _ source: Source, reads: Bool = true, writes: Bool = false, isNew: Bool = false
    ) throws(PacketLinkError) {
        let answer = headwind_readiness_watch(
            epoll.rawValue, descriptor.rawValue, source.rawValue, reads, writes, isNew)
        guard answer == 0 else {
            let code = errno
            switch source {
            case .client: throw .descriptor(.client, attempt: "watch", code: code)
            case .host: throw .descriptor(.host, attempt: "watch", code: code)
            case .timer, .wakeup: throw .resource(attempt: "watch a descriptor", code: code)
            }
        }
    }

    /// Waits until a descriptor is ready or `deadline` has come; returns the number of descriptors that are ready.
    mutating func wait(until deadline: Instant?) throws(PacketLinkError) -> Int {
        guard let deadline else { return try wait(polls: false) }
        let now = Instant.monotonic()
        guard let moment = wakeUp.moment(for: deadline, now: now) else {
            let count = try wait(polls: true)
            if deadline > now { wakeUp.stayAwake(from: now, to: .monotonic()) }
            return count
        }
        // An earlier timer stays: it costs a wake-up, but setting it again each time costs more.
        if armed.map({ moment < $0 }) ?? true {
            guard headwind_timer_set(timer.rawValue, moment.nanoseconds) == 0 else {
                throw .resource(attempt: "set a timer", code: errno)
            }
            armed = moment
        }
        return try wait(polls: false)
    }

    private mutating func wait(polls: Bool) throws(PacketLinkError) -> Int {
        let epoll = epoll.rawValue
        let count = unsafe ready.withUnsafeMutableBufferPointer { ready in
            unsafe headwind_readiness_wait(epoll, ready.baseAddress, Int32(ready.count), polls)
        }
        guard count >= 0 else { throw .resource(attempt: "wait", code: errno) }
        return Int(count)
    }

    subscript(index: Int) -> headwind_readiness { ready[index] }

    /// Notes that the timer has fired.
    mutating func drainTimer() {
        if let armed { wakeUp.noteWakeUp(armed, now: .monotonic()) }
        armed = nil
        timer.drain()
    }
}

extension FileDescriptor {
    /// Wakes the thread that watches this wake-up descriptor.
    func ring() {
        var one: UInt64 = 1
        // If the counter is too full for another wake-up, it wakes the thread anyway.
        _ = unsafe Glibc.write(rawValue, &one, MemoryLayout<UInt64>.size)
    }

    /// Resets the counter of a timer or a wake-up descriptor.
    func drain() {
        var count: UInt64 = 0
        _ = unsafe Glibc.read(rawValue, &count, MemoryLayout<UInt64>.size)
    }
}
