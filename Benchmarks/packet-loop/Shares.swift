import ArgumentParser
import LinkModel

/// Counts how many packets are lost, doubled, reordered and corrupted in virtual time, for each of some seeds.
struct Shares: ParsableCommand {
    @Option(help: "Seeds from 1 on.") var seeds: UInt64 = 100
    @Option(help: "Packets for each seed.") var packets = 100_000
    @Option(help: "Share that is lost, doubled, overtakes others, is corrupt: each.") var share = "1 %"

    func run() throws {
        let ratio = try Ratio(parsing: share)
        let conditions = LinkConditions(
            uplink: Conditions(
                delay: .milliseconds(1), loss: .random(ratio), duplicate: ratio, reorder: ratio, corrupt: ratio))
        let counts = (1...seeds).map { seed in
            "[\(count(conditions, seed: seed).map(String.init).joined(separator: ", "))]"
        }
        print("[\(counts.joined(separator: ",\n"))]")
    }

    /// The counts of packets: offered, lost, doubled, overtaking, corrupt.
    private func count(_ conditions: LinkConditions, seed: UInt64) -> [Int] {
        let random = KeyedRandom(seed: seed)
        let start = Instant(nanoseconds: 0)
        var pipe = PacketPipe(.uplink, conditions: conditions, random: random, start: start, recordsDecisions: true)
        let stream = random.streamKey("udp#1")
        var counts = [packets, 0, 0, 0, 0]
        for number in 0..<packets {
            let now = start + .microseconds(number)
            let place = Int64(number) * LossProcess.slotBytes
            let packet = Packet(token: 0, size: 100, stream: stream, bytes: place..<place + 1)
            _ = pipe.offer(packet, at: now)
            while pipe.poll(at: now) != nil {}
            while let decision = pipe.pollDecision() {
                switch decision.effect {
                case .drop: counts[1] += 1
                case .duplicate: counts[2] += 1
                case .reorder: counts[3] += 1
                case .corrupt: counts[4] += 1
                case .delay, .stall, .cut: break
                }
            }
        }
        return counts
    }
}
