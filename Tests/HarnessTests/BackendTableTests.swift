import Foundation
import KernelLink
import Scenarios
import Testing

@testable import Harness

/// docs/backends.md, which is made here: `HEADWIND_RECORD=1 swift test --filter BackendTableTests` writes it.
@Suite struct BackendTableTests {
    @Test func scenariosAreInStep() throws {
        let folder = Bench.root.appending("scenarios")
        let scenarios = try ScenarioLoader(profiles: Bench.profiles).load(folder)
        var lines = ["| scenario | profile | packet | kernel | proxy |", "|---|---|---|---|---|"]
        for cell in scenarios.flatMap(\.cells).sorted(by: { $0.id < $1.id }) {
            let packet = cell.whyNotInCell([]).map { "no: \($0)" } ?? "yes"
            let proxy = cell.whyNotByProxy.map { "no: \($0)" } ?? "modelled"
            let setup = KernelSetup(profile: cell.link.profile, faults: cell.linkFaults)
            var obstacles = setup.obstacles
            if cell.schedule != nil { obstacles.append("its schedule") }
            let needs = KernelAbilities.needs(setup.foreseen).map(\.rawValue).sorted(by: >).joined(separator: ", ")
            let kernel =
                obstacles.isEmpty
                ? (needs.isEmpty ? "yes" : "with \(needs)") : "no: \(obstacles.joined(separator: "; "))"
            lines.append("| `\(cell.id)` | `\(cell.link.profile.name)` | \(packet) | \(kernel) | \(proxy) |")
        }
        try Self.check("scenarios", lines.joined(separator: "\n"))
    }

    @Test func profilesAreInStep() throws {
        var lines = ["| profile | packet | kernel | proxy |", "|---|---|---|---|"]
        for profile in try Bench.profiles.all().sorted(by: { $0.name < $1.name }) {
            let obstacles = KernelObstacles.find(in: profile).map { "\($0.property) (\($0.reason))" }
            let needs = KernelAbilities.needs(profile).map(\.rawValue).sorted(by: >).joined(separator: ", ")
            let kernel =
                obstacles.isEmpty
                ? (needs.isEmpty ? "yes" : "with \(needs)") : "no: \(obstacles.joined(separator: "; "))"
            lines.append("| `\(profile.name)` | yes | \(kernel) | modelled |")
        }
        try Self.check("profiles", lines.joined(separator: "\n"))
    }

    /// Whether the part of the page between `<!-- name -->` and `<!-- end -->` is this text.
    private static func check(_ name: String, _ expected: String) throws {
        let file = URL(filePath: Bench.root.appending("docs/backends.md").string)
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let open = try #require(text.firstRange(of: "<!-- \(name) -->\n"))
        let close = try #require(text[open.upperBound...].firstRange(of: "<!-- end -->"))
        let part = "\n\(expected)\n\n"
        if ProcessInfo.processInfo.environment["HEADWIND_RECORD"] == "1" {
            try Data((text[..<open.upperBound] + part + text[close.lowerBound...]).utf8).write(to: file)
            return
        }
        #expect(text[open.upperBound..<close.lowerBound] == part, "docs/backends.md is not in step")
    }
}
