import Foundation
import SystemPackage

@testable import Harness

/// One of the clients that the tests bring along, with a bug or without one.
struct Client: Sendable, CustomStringConvertible {
    enum Language: String, Sendable, CaseIterable {
        case python, swift
    }

    /// What a client takes.
    enum Kind: String, Sendable {
        /// A URL and a file: it runs as a scenario's command.
        case fetch
        /// The command line of headwind-client, whose place it takes.
        case requests
    }

    let language: Language
    let kind: Kind
    /// A name of `BUGS`; nil for one that does everything right.
    var bug: String?
    var seed: UInt64 = Self.seed

    var description: String {
        "\(language.rawValue) \(kind.rawValue)" + (bug.map { " --bug \($0) --seed \(seed)" } ?? "")
    }

    /// Draws the parameters of bugs: `HEADWIND_SEED`, or another one in each run.
    static let seed: UInt64 = {
        let given = ProcessInfo.processInfo.environment["HEADWIND_SEED"].flatMap { UInt64($0) }
        return given ?? .random(in: 1...9999)
    }()

    private static let folder = Bench.root.appending("Tests/BrokenClients")

    /// The interpreter itself: what stands in PATH may be a script that looks for it each time.
    private static let python: String = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import sys; print(sys.executable)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return "python3" }
        process.waitUntilExit()
        let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        return text.split(separator: "\n").first.map(String.init) ?? "python3"
    }()

    private static let program = Bench.programs.client.removingLastComponent().appending("broken-client").string

    /// The words that run it as a command, before its URL and file.
    var words: [String] {
        let options = bug.map { ["--bug", $0, "--seed", "\(seed)"] } ?? []
        switch language {
        case .python: return [Self.python, "-B", Self.folder.appending("Python/fetch.py").string] + options
        case .swift: return [Self.program] + options
        }
    }

    /// Puts it in the place of headwind-client.
    func programs(_ bench: Bench) throws -> Programs {
        let call =
            switch language {
            case .python: "\(Self.python) -B '\(Self.folder.appending("Python/odr.py"))'"
            case .swift: "'\(Self.program)'"
            }
        let variables = bug.map { "BROKEN_BUG=\($0) BROKEN_SEED=\(seed) " } ?? ""
        var programs = Bench.programs
        try programs.use(client: bench.script("client", "\(variables)exec \(call) \"$@\"").string)
        return programs
    }
}
