import Foundation
import KernelLink
import LinkModel
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// docs/backends.md, which is made here: `HEADWIND_RECORD=1 swift test --filter BackendTableTests` writes it.
@Suite struct BackendTableTests {
    @Test func scenariosAreInStep() throws {
        let folder = Bench.root.appending("scenarios")
        try Self.check("scenarios", lines(in: folder) { !$0.name.contains("/") })
        try Self.check("error-paths", lines(in: folder.appending("error-paths")) { _ in true })
    }

    /// Of the error paths more than four in five can be provoked without namespaces, too.
    @Test func theProxyHasNearlyAllErrorPaths() throws {
        let folder = Bench.root.appending("scenarios/error-paths")
        let cells = try ScenarioLoader(profiles: Bench.profiles).load(folder).flatMap(\.cells)
        let byProxy = cells.filter { $0.link.fidelity != .packet && $0.whyNotByProxy == nil }
        #expect(byProxy.count * 5 >= cells.count * 4, "\(byProxy.count) of \(cells.count)")
        #expect(cells.allSatisfy { $0.id.count <= 40 })
    }

    private func lines(in folder: FilePath, _ isMeant: (Scenario) -> Bool) throws -> String {
        let scenarios = try ScenarioLoader(profiles: Bench.profiles).load(folder).filter(isMeant)
        var lines = ["| scenario | profile | packet | kernel | proxy |", "|---|---|---|---|---|"]
        for cell in scenarios.flatMap(\.cells).sorted(by: { $0.id < $1.id }) {
            let packet = cell.whyNotInSandbox([]).map { "no: \($0)" } ?? "yes"
            let isAskedFor = cell.link.fidelity == .packet
            let proxy = cell.whyNotByProxy.map { "no: \($0)" } ?? (isAskedFor ? "no: it asks for packets" : "modelled")
            let setup = LinkSetup(profile: cell.link.profile, faults: cell.linkFaults)
            var obstacles = KernelObstacles.find(in: setup)
            if cell.schedule != nil { obstacles.append("its schedule") }
            let needs = KernelAbilities.needs(setup.foreseen).map(\.rawValue).sorted(by: >).joined(separator: ", ")
            let kernel =
                obstacles.isEmpty
                ? (needs.isEmpty ? "yes" : "with \(needs)") : "no: \(obstacles.joined(separator: "; "))"
            lines.append("| `\(cell.id)` | `\(cell.link.profile.name)` | \(packet) | \(kernel) | \(proxy) |")
        }
        return lines.joined(separator: "\n")
    }

    @Test func profilesAreInStep() throws {
        var lines = ["| profile | packet | kernel | proxy |", "|---|---|---|---|"]
        for profile in try Bench.profiles.all().sorted(by: { $0.name < $1.name }) {
            let obstacles = KernelObstacles.find(in: profile).map(\.clause)
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
