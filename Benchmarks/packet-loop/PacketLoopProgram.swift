import ArgumentParser
import LinkModel
import PacketLink
import SystemPackage

/// Runs a packet link between two descriptors that it inherits, for Benchmarks/packets; ends when its input does.
@main
struct PacketLoopProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "packet-loop")

    @Option(help: "Descriptor of the client's device.") var client: Int32
    @Option(help: "Descriptor of the host's device.") var host: Int32
    @Option(help: "Rate of each direction, such as '1 Gbit/s'; unlimited by default.") var rate: String?
    @Option(help: "One-way delay, such as '20 ms'.") var delay = "0 s"
    @Option(help: "Share of packets that are lost on the uplink, such as '1 %'.") var loss = "0 %"
    @Option(help: "Room in front of the rate, in packets.") var queue: Int?
    @Option(help: "File for a capture.") var capture: String?

    func run() async throws {
        var shape = Conditions(rate: try rate.map { try BitRate(parsing: $0) }, delay: try Duration(parsing: delay))
        shape.queue = queue.map { .packets($0) }
        var conditions = LinkConditions(downlink: shape, uplink: shape)
        conditions.uplink.loss = .random(try Ratio(parsing: loss))
        let profile = Profile(name: "benchmark", conditions: conditions)
        let configuration = PacketLinkConfiguration(
            profile: profile, seed: 1, capture: capture.map { PacketCapture(path: FilePath($0)) })
        try await withPacketLink(
            configuration, client: FileDescriptor(rawValue: client), host: FileDescriptor(rawValue: host)
        ) { link in
            try FileDescriptor.standardOutput.writeAll("ready\n".utf8)
            var byte: [UInt8] = [0]
            _ = try byte.withUnsafeMutableBytes { try FileDescriptor.standardInput.read(into: $0) }
            let up = try await link.counters().link.uplink
            print("\(up.offeredPackets) \(up.lostPackets) \(up.droppedPackets) \(up.deliveredPackets) \(up.wireBytes)")
        }
    }
}
