import ArgumentParser
import LinkModel
import PacketLink
import SystemPackage
import Witness

/// Runs packet links between inherited descriptors; ends when its input ends.
struct Run: AsyncParsableCommand {
    @Option(help: "Descriptor of a client's device; each one is of a link of its own.") var client: [Int32]
    @Option(help: "Descriptor of a host's device, in the same order.") var host: [Int32]
    @Option(help: "Rate of each direction, such as '1 Gbit/s'; unlimited by default.") var rate: String?
    @Option(help: "One-way delay, such as '20 ms'.") var delay = "0 s"
    @Option(help: "Room in front of the rate, in packets.") var queue: Int?
    @Option(help: "Share of packets that are lost on the uplink, such as '1 %'.") var loss = "0 %"
    @Option(help: "Share of packets that arrive twice, on the uplink.") var duplicate = "0 %"
    @Option(help: "Share of packets that overtake others, on the uplink.") var reorder = "0 %"
    @Option(help: "Share of packets of which a bit is flipped, on the uplink.") var corrupt = "0 %"
    @Option(help: "A trace of Mahimahi in the place of the uplink's rate.") var trace: String?
    @Option(help: "What random decisions are keyed by.") var seed: UInt64 = 1
    @Option(help: "File for a capture.") var capture: String?
    @Flag(help: "Says how late a thread was that only wakes up.") var witness = false

    func validate() throws {
        guard !client.isEmpty, client.count == host.count else {
            throw ValidationError("there are \(client.count) devices of clients and \(host.count) of hosts")
        }
    }

    func run() async throws {
        let configuration = PacketLinkConfiguration(
            profile: try profile(), seed: seed, capture: capture.map { PacketCapture(path: FilePath($0)) })
        guard witness else { return print(try await links(configuration, 0...) + "}") }
        let (text, noise) = try await Witness.observe { try await links(configuration, 0...) }
        let lateness = noise.p99Lateness.map { "\(Double($0.nanoseconds) / 1e6)" } ?? "null"
        print(text + ", \"witness_p99_ms\": \(lateness)}")
    }

    private func profile() throws -> Profile {
        var shape = Conditions(rate: try rate.map { try BitRate(parsing: $0) }, delay: try Duration(parsing: delay))
        shape.queue = queue.map { .packets($0) }
        var conditions = LinkConditions(downlink: shape, uplink: shape)
        conditions.uplink.loss = .random(try Ratio(parsing: loss))
        conditions.uplink.duplicate = try Ratio(parsing: duplicate)
        conditions.uplink.reorder = try Ratio(parsing: reorder)
        conditions.uplink.corrupt = try Ratio(parsing: corrupt)
        var profile = Profile(name: "benchmark", conditions: conditions)
        profile.uplinkTrace = try trace.map { try DeliveryTrace(mahimahi: try Self.text($0)) }
        return profile
    }

    /// Brings up the links from `rest` on, nested, and returns the counters of the first of them as JSON.
    private func links(_ configuration: PacketLinkConfiguration, _ rest: PartialRangeFrom<Int>) async throws -> String {
        let index = rest.lowerBound
        guard index < client.count else {
            try FileDescriptor.standardOutput.writeAll("ready\n".utf8)
            var byte: [UInt8] = [0]
            _ = try byte.withUnsafeMutableBytes { try FileDescriptor.standardInput.read(into: $0) }
            return ""
        }
        let (client, host) = (FileDescriptor(rawValue: client[index]), FileDescriptor(rawValue: host[index]))
        return try await withPacketLink(configuration, client: client, host: host) { link in
            _ = try await links(configuration, (index + 1)...)
            let up = try await link.counters().link.uplink
            return """
                {"offered": \(up.offeredPackets), "lost": \(up.lostPackets), "dropped": \(up.droppedPackets), \
                "delivered": \(up.deliveredPackets), "wire_bytes": \(up.wireBytes)
                """
        }
    }

    private static func text(_ path: String) throws -> String {
        let file = try FileDescriptor.open(path, .readOnly)
        return try file.closeAfter {
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65_536)
            while case let count = try piece.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
                bytes += piece[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
