import KernelLink
import LinkModel
import Netlink
import Scenarios
import SystemPackage
import Testing

/// Which bundled profiles the kernel's queues support; docs/explanation/kernel.md lists them.
@Suite struct BundledProfileTests {
    private static let repository = FilePath(#filePath).removingLastComponent().removingLastComponent()
        .removingLastComponent()
    static let profiles = (try? ProfileLibrary(folder: repository.appending("profiles")).all()) ?? []

    @Test func areDocumented() throws {
        try #require(Self.profiles.count > 40)
        let page = FilePath(Self.repository.appending("docs/explanation/kernel.md").string)
        let file = try FileDescriptor.open(page, .readOnly)
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        let refused = Self.profiles.compactMap { profile in
            KernelObstacles.find(in: profile).first.map { "| `\(profile.name)` | \($0.property) |" }
        }
        let simple = Self.profiles.filter { profile in
            KernelObstacles.find(in: profile).isEmpty
                && Direction.allCases.allSatisfy { !QueueLayout($0, profile).hasNetem }
        }
        let lines = refused + [simple.map { "`\($0.name)`" }.joined(separator: ", ") + " need no netem"]
        for line in lines { #expect(text.contains(line), "docs/explanation/kernel.md does not have: \(line)") }
        #expect(!refused.isEmpty && !simple.isEmpty && refused.count + simple.count < 10)
    }

    /// All conditions of a profile have one layout, with one plan for each direction.
    @Test(arguments: profiles.filter { KernelObstacles.find(in: $0).isEmpty })
    func hasAPlanAtAllTimes(profile: Profile) throws {
        for direction in Direction.allCases {
            let layout = QueueLayout(direction, profile)
            let plans = try ([profile.conditions] + profile.changes.map(\.conditions)).map {
                try EgressPlan($0, direction, layout: layout)
            }
            #expect(plans.allSatisfy { $0.hasLayout(of: plans[0]) })
            // Only a link that lets everything pass is left without a queue.
            #expect(plans[0].queues.isEmpty == layout.isEmpty)
        }
    }
}
