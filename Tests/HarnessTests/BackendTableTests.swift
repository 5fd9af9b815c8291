import Foundation
import LinkModel
import Scenarios
import SystemPackage
import Testing

@testable import Harness
@testable import Links

/// The tables of docs/reference/backends.md: `HEADWIND_RECORD=1 swift test --filter BackendTableTests` writes them.
@Suite struct BackendTableTests {
    @Test func backendsAreInStep() throws {
        var lines = [
            Self.line(["backend", "fidelity", "client and host are", "packets are recorded"]), "|---|---|---|---|",
        ]
        for backend in LinkBackend.allCases {
            let provider = backend.provider
            let place = provider.sandbox.map { "in a sandbox (`\($0.rawValue)`)" } ?? "on this machine's loopback"
            lines.append(
                Self.line([
                    "`\(backend.rawValue)`", "`\(provider.fidelity.rawValue)`", place,
                    provider.recordsPackets ? "yes" : "no",
                ]))
        }
        try Self.check("backends", lines.joined(separator: "\n"))
    }

    @Test func scenariosAreInStep() throws {
        let folder = Bench.root.appending("scenarios")
        try Self.check("scenarios", lines(in: folder) { !$0.name.contains("/") })
        for suite in ["background-assets", "quick", "error-paths"] {
            try Self.check(suite, lines(in: folder.appending(suite)) { _ in true })
        }
    }

    /// At least four in five error paths can be provoked without namespaces.
    @Test func theProxyHasNearlyAllErrorPaths() throws {
        let folder = Bench.root.appending("scenarios/error-paths")
        let cells = try ScenarioLoader(profiles: Bench.profiles).load(folder).flatMap(\.cells)
        let byProxy = cells.filter { $0.link.fidelity != .packet && $0.demand(authorities: []).whyNotOnLoopback == nil }
        #expect(byProxy.count * 5 >= cells.count * 4, "\(byProxy.count) of \(cells.count)")
        #expect(cells.allSatisfy { $0.id.count <= 40 })
    }

    private func lines(in folder: FilePath, _ isMeant: (Scenario) -> Bool) throws -> String {
        let scenarios = try ScenarioLoader(profiles: Bench.profiles).load(folder).filter(isMeant)
        var lines = Self.head(["scenario", "profile"])
        for cell in scenarios.flatMap(\.cells).sorted(by: { $0.id < $1.id }) {
            let demand = cell.demand(authorities: [])
            let words = LinkBackend.allCases.map { backend in
                if let why = backend.isInSandbox ? demand.whyNotInSandbox : demand.whyNotOnLoopback {
                    return "no: \(why)"
                }
                let isRuledOut = cell.link.fidelity == .packet && backend.fidelity != .packet
                return isRuledOut ? "no: it asks for packets" : Self.word(for: demand.setup, by: backend)
            }
            lines.append(Self.line(["`\(cell.id)`", "`\(cell.link.profile.name)`"] + words))
        }
        return lines.joined(separator: "\n")
    }

    private static func head(_ columns: [String]) -> [String] {
        let all = columns + LinkBackend.allCases.map(\.rawValue)
        return [line(all), "|" + String(repeating: "---|", count: all.count)]
    }

    private static func line(_ words: [String]) -> String { "| " + words.joined(separator: " | ") + " |" }

    /// How a backend shapes a link, on any machine.
    private static func word(for setup: LinkSetup, by backend: LinkBackend) -> String {
        let obstacles = backend.provider.obstacles(to: setup)
        guard obstacles.isEmpty else { return "no: \(obstacles.joined(separator: "; "))" }
        if backend.fidelity == .modelled { return "modelled" }
        let parts = backend.provider.parts(for: setup).map(\.rawValue).sorted(by: >).joined(separator: ", ")
        return parts.isEmpty ? "yes" : "with \(parts)"
    }

    @Test func profilesAreInStep() throws {
        var lines = Self.head(["profile"])
        for profile in try Bench.profiles.all().sorted(by: { $0.name < $1.name }) {
            let words = LinkBackend.allCases.map { Self.word(for: LinkSetup(profile: profile), by: $0) }
            lines.append(Self.line(["`\(profile.name)`"] + words))
        }
        try Self.check("profiles", lines.joined(separator: "\n"))
    }

    /// Whether the part of the page between `<!-- name -->` and `<!-- end -->` is this text.
    private static func check(_ name: String, _ expected: String) throws {
        let file = URL(filePath: Bench.root.appending("docs/reference/backends.md").string)
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let open = try #require(text.firstRange(of: "<!-- \(name) -->\n"))
        let close = try #require(text[open.upperBound...].firstRange(of: "<!-- end -->"))
        let part = "\n\(expected)\n\n"
        if ProcessInfo.processInfo.environment["HEADWIND_RECORD"] == "1" {
            try Data((text[..<open.upperBound] + part + text[close.lowerBound...]).utf8).write(to: file)
            return
        }
        #expect(text[open.upperBound..<close.lowerBound] == part, "docs/reference/backends.md is not in step")
    }
}
