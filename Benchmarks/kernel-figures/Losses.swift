import ArgumentParser
import Glibc
import LinkModel
import SandboxMessages
import Scenarios
import SystemPackage
import Testbed

/// Counts how many datagrams are lost, against the loss that the profile sets.
struct Losses: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loss",
        abstract:
            "Datagrams that are lost, of profiles that lose some by chance, without their rates and delays; needs netem."
    )

    @Option(help: "The folder of the profiles.") var profiles = "profiles"
    @Option(help: "Datagrams of each.") var count = 20_000
    @Argument(help: "Profiles (default: all with random loss).") var names: [String] = []

    func run() async throws {
        for profile in try ProfileLibrary(folder: FilePath(profiles)).all() {
            guard names.isEmpty || names.contains(profile.name) else { continue }
            guard case .random(let ratio)? = profile.conditions.downlink.loss else { continue }
            let share = Double(ratio.partsPerBillion) / 1e9
            guard share < 1 else { continue }
            let lost = try await lost(Conditions(loss: profile.conditions.downlink.loss))
            // 4.9 standard deviations leave out a part in a million.
            let spread = 4.9 * (Double(count) * share * (1 - share)).squareRoot()
            let (low, high) = (Double(count) * share - spread, Double(count) * share + spread)
            say(
                #"{"profile":"\#(profile.name)","set":\#(share),"lost":\#(lost),"of":\#(count),"#
                    + #""interval":[\#(Int(low)),\#(Int(high))],"inside":\#((low...high).contains(Double(lost)))}"#)
        }
    }

    private func lost(_ conditions: Conditions) async throws -> Int {
        let count = count
        return try await Ground.kernel.with(.both(conditions)) { sandbox, _ in
            let receiver = PlainEnd(
                try await sandbox.socket(on: .client, .udp, port: 9).descriptor, patience: .seconds(1))
            let sender = PlainEnd(try await sandbox.socket(on: .host, .udp).descriptor)
            defer { for end in [receiver, sender] { end.close() } }
            try sender.connect(to: SandboxAddresses.clientIPv4, port: 9)
            let receiving = Task.onThread { () -> Int in
                var room = [UInt8](repeating: 0, count: 64)
                var arrived = 0
                while receiver.receive(&room) != nil { arrived += 1 }
                return arrived
            }
            await Task.onThread {
                for number in 0..<count {
                    sender.send([1])
                    // Lets the receiver run, even with one processor.
                    if number % 50 == 49 { usleep(2000) }
                }
            }.value
            return count - (await receiving.value)
        }
    }
}
