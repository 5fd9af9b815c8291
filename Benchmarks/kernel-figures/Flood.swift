import Glibc
import LinkModel
import Testbed

/// Sends packets of 1500 bytes from the client to the host, at a third more than a rate.
struct Flood: Sendable {
    private let senders: [PlainEnd]
    private let bits: Double
    /// How many datagrams one send hands over; the kernel splits them.
    private let together: Int

    /// Opens the sockets.
    ///
    /// A fast flood has several: one socket's send buffer is too small to keep the queue full.
    init(from sandbox: Sandbox, at rate: BitRate, isFast: Bool) async throws {
        bits = Double(rate.bitsPerSecond) * 1.33
        together = isFast ? 40 : 1
        var senders: [PlainEnd] = []
        for _ in 0..<(isFast ? 4 : 1) {
            let sender = PlainEnd(try await sandbox.socket(on: .client, .udp).descriptor)
            senders.append(sender)
            try sender.connect(to: SandboxAddresses.hostIPv4, port: 9)
            if isFast { sender.split(into: 1472) }
        }
        self.senders = senders
    }

    /// Sends until `end`, in bursts of a millisecond, or of one packet if that takes longer.
    ///
    /// A packet that a socket has no room for is skipped.
    func send(until end: ContinuousClock.Instant) {
        let payload = [UInt8](repeating: 1, count: 1472 * together)
        let turns = max(1, Int(bits / 8 / 1500 / 1000) / together)
        let pause = Duration.seconds(Double(turns * together) * 1500 * 8 / bits)
        var next = ContinuousClock.now
        var turn = 0
        while ContinuousClock.now < end {
            for _ in 0..<turns {
                senders[turn % senders.count].send(payload, waits: false)
                turn += 1
            }
            next += pause
            let left = ContinuousClock.now.duration(to: next).components
            guard left.seconds >= 0, left.attoseconds > 0 else { continue }
            var time = timespec(tv_sec: Int(left.seconds), tv_nsec: Int(left.attoseconds / 1_000_000_000))
            nanosleep(&time, nil)
        }
    }

    func close() { for sender in senders { sender.close() } }
}
