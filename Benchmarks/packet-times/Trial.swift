import LinkModel
import PacketLink
import Synchronization
import SystemPackage
import Testbed

/// A download over one link.
struct Trial: Sendable {
    var profile: Profile
    var bytes: Int
    var seed: UInt64

    /// Runs all trials, `jobs` of them at a time; nil for a trial that did not finish.
    static func run(_ trials: [Trial], jobs: Int) async -> [Download.Times?] {
        await withTaskGroup(of: Ended.self) { group in
            var times: [Download.Times?] = Array(repeating: nil, count: trials.count)
            for (index, trial) in trials.enumerated() {
                if index >= jobs, let ended = await group.next() { times[ended.index] = ended.times }
                group.addTask { Ended(index: index, times: await trial.run()) }
            }
            for await ended in group { times[ended.index] = ended.times }
            return times
        }
    }

    /// The end of one trial.
    private struct Ended {
        let index: Int
        let times: Download.Times?
    }

    private func run() async -> Download.Times? {
        do {
            return try await withSandbox { sandbox in
                let link = PacketLinkConfiguration(profile: profile, seed: seed)
                return try await withPacketLink(link, client: sandbox.clientTUN, host: sandbox.hostTUN) { _ in
                    let listener = try await sandbox.listen(on: .host)
                    let client = try await sandbox.socket(on: .client, .tcp)
                    defer {
                        try? listener.descriptor.close()
                        try? client.descriptor.close()
                    }
                    return try await Download(
                        listener: listener.descriptor, client: client.descriptor, port: listener.port ?? 0,
                        bytes: bytes
                    ).times()
                }
            }
        } catch {
            _ = try? FileDescriptor.standardError.writeAll("\(profile.name), \(bytes) bytes: \(error)\n".utf8)
            return nil
        }
    }
}
