import CLinux
import Glibc
import LinkModel
import LinuxSupport
import Synchronization
import SystemPackage

/// The thread of a link, and the access to the link for all other threads.
///
/// Requests run between two packets, so that no packet sees half of a change.
final class PacketThread: Sendable {
    typealias Request = @Sendable (inout PacketLoop, Instant) -> Void

    /// The final state of a link that has ended.
    struct Remains: Sendable {
        var counters = PacketLinkCounters()
        var samples: [MeterSample<PerDirection<Int64>>] = []
        var record = FaultRecord(seed: 0, profile: 0)
        var failure: PacketLinkError?
    }

    private struct State {
        var requests: [Request] = []
        var isStopping = false
        var remains: Remains?
        /// The route listener until the thread takes it; objects that it holds must not outlive the link.
        var tellRoute: PacketLink.RouteListener?
    }

    let events: AsyncStream<LinkEvent>
    private let continuation: AsyncStream<LinkEvent>.Continuation
    private let configuration: PacketLinkConfiguration
    private let client: FileDescriptor
    private let host: FileDescriptor
    private let wakeup: FileDescriptor
    private let state = Mutex(State())
    /// The result of the start: nil for success, or the error.
    private let starting = Latch<PacketLinkError?>()
    private let ended = Latch<Remains>()

    /// Starts a link between two devices, which stay the caller's; the caller must call ``stop()``.
    init(
        _ configuration: PacketLinkConfiguration, client: FileDescriptor, host: FileDescriptor,
        tellRoute: PacketLink.RouteListener? = nil
    ) throws(PacketLinkError) {
        state.withLock { $0.tellRoute = tellRoute }
        self.configuration = configuration
        self.client = client
        self.host = host
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(configuration.limits.events))
        let wakeup = headwind_wakeup_open()
        guard wakeup >= 0 else { throw .resource(attempt: "open a descriptor for wake-ups", code: errno) }
        self.wakeup = FileDescriptor(rawValue: wakeup)
        try start()
    }

    deinit {
        try? wakeup.close()
    }

    /// Waits until the link is up; throws if it cannot come up.
    func started() async throws(PacketLinkError) {
        if let failure = await starting.value { throw failure }
    }

    /// Runs a request on the thread; false if the thread has ended or is about to.
    func submit(_ request: @escaping Request) -> Bool {
        let isRunning = state.withLock { state in
            guard state.remains == nil, !state.isStopping else { return false }
            state.requests.append(request)
            return true
        }
        if isRunning { wakeup.ring() }
        return isRunning
    }

    /// Ends the thread, unless it has ended by itself, waits for that, and returns the final state.
    func stop() async -> Remains {
        state.withLock { $0.isStopping = true }
        wakeup.ring()
        return await ended.value
    }

    private func start() throws(PacketLinkError) {
        do {
            // The thread is not joined: `finish(_:)` reports its end.
            try DedicatedThread.start(named: "packet-link") { self.run() }
        } catch {
            throw .resource(attempt: "start a thread", code: error.rawValue)
        }
    }

    private func run() {
        var remains = Remains()
        do throws(PacketLinkError) {
            let recorder = try configuration.capture.map { capture throws(PacketLinkError) in try CaptureWriter(capture)
            }
            defer { remains.counters.capture = recorder?.finish() }
            var shell = try PacketPump(
                configuration, client: client, host: host, wakeup: wakeup, recorder: recorder, tellRoute: takeListener()
            )
            shell.tellRoute()
            publish(&shell.loop)
            starting.open(nil)
            do throws(PacketLinkError) {
                while !isStopping {
                    if try shell.turn() { serve(&shell.loop) }
                    publish(&shell.loop)
                }
                try shell.catchUp()
            } catch {
                remains.failure = error
            }
            shell.noteMissed()
            settle(&shell.loop, &remains)
        } catch {
            remains.failure = error
            starting.open(error)
        }
        finish(remains)
    }

    private func takeListener() -> PacketLink.RouteListener? {
        state.withLock { state in
            defer { state.tellRoute = nil }
            return state.tellRoute
        }
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    private func serve(_ loop: inout PacketLoop) {
        let requests = state.withLock { state in
            let requests = state.requests
            state.requests = []
            return requests
        }
        for request in requests { request(&loop, .monotonic()) }
    }

    /// Passes events to their reader.
    private func publish(_ loop: inout PacketLoop) {
        guard !loop.events.isEmpty else { return }
        for event in loop.events {
            if case .dropped = continuation.yield(event) { loop.counters.droppedEvents += 1 }
        }
        loop.events.removeAll(keepingCapacity: true)
    }

    /// Stores the final state of the link.
    private func settle(_ loop: inout PacketLoop, _ remains: inout Remains) {
        // No more requests are accepted, and all that were accepted run now.
        state.withLock { $0.isStopping = true }
        serve(&loop)
        let now = Instant.monotonic()
        loop.report(at: now)
        publish(&loop)
        remains.counters = loop.summary()
        remains.samples = loop.meter.samples.map(\.payload)
        remains.record = loop.record()
    }

    private func finish(_ remains: Remains) {
        continuation.finish()
        state.withLock { $0.remains = remains }
        ended.open(remains)
    }
}
