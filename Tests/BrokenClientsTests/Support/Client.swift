import Foundation
import Scenarios
import SystemPackage

@testable import Harness

/// One of the tests' own clients, with or without a bug.
struct Client: Sendable, CustomStringConvertible {
    enum Make: String, Sendable {
        case python, swift
        /// Other people's programs, which have no bugs to choose.
        case curl, aria2c, wget
        case headwind

        static let broken: [Make] = [.python, .swift]
    }

    /// The command line that a client takes.
    enum Kind: String, Sendable {
        /// A URL and a file: it runs as a scenario's command.
        case fetch
        /// The command line of headwind-client, which it replaces.
        case requests
    }

    let make: Make
    let kind: Kind
    /// A name of `BUGS`, or nil for a client without bugs.
    var bug: String?
    var seed: UInt64 = Self.seed

    var description: String {
        "\(make.rawValue) \(kind.rawValue)" + (bug.map { " --bug \($0) --seed \(seed)" } ?? "")
    }

    /// The seed of all bugs' parameters: `HEADWIND_SEED`, or a random one in each run.
    static let seed: UInt64 = {
        let given = ProcessInfo.processInfo.environment["HEADWIND_SEED"].flatMap { UInt64($0) }
        return given ?? .random(in: 1...9999)
    }()

    private static let folder = Bench.root.appending("Tests/BrokenClients")

    /// The path of the interpreter itself, as a python3 in PATH may be a script that searches for it each time.
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

    /// The command line that runs the client as a command.
    func words(_ call: Detection.Call) -> [String] {
        let url = call.proxied ?? "{url}"
        let proxy = call.proxied == nil ? [] : ["--proxy", "{proxy}"]
        let own = bug.map { ["--bug", $0, "--seed", "\(seed)"] } ?? []
        let authority = call.hasAuthority ? ["--ca", "{ca}"] : []
        let fields = call.hasCredentials ? ["--headers", "{headers}"] : []
        let options =
            own + ["--patience", "{patience}", "--events"] + proxy + authority + fields + [url, "{output}"]
        switch make {
        case .python: return [Self.python, "-B", Self.folder.appending("Python/fetch.py").string] + options
        case .swift: return [Self.program] + options
        case .curl, .headwind:
            let fields = call.hasCredentials ? ["-H", "@{headers}"] : []
            return [Self.folder.appending("careful.sh").string, url, "{output}"] + proxy + fields
        case .aria2c:
            return [
                "aria2c", "--quiet", "--no-conf", "--timeout=1", "--connect-timeout=1", "--max-tries=4",
                "--retry-wait=1", "--split=1", "--file-allocation=none", "--dir=.", "--out=level.bin", url,
            ]
        case .wget:
            return [
                "wget", "--quiet", "--continue", "--timeout=1", "--tries=4", "--waitretry=1", "--output-document",
                "{output}", url,
            ]
        }
    }

    /// The command as `headwind check` runs it.
    var checked: CheckedCommand {
        CheckedCommand(
            words: words(.init(hasAuthority: true)), directory: Bench.root, patience: .seconds(2), within: .seconds(12))
    }

    /// Returns programs in which the client replaces headwind-client.
    func programs(_ bench: Bench) throws -> Programs {
        var programs = Bench.programs
        guard make != .headwind else { return programs }
        let call =
            make == .swift ? "'\(Self.program)'" : "\(Self.python) -B '\(Self.folder.appending("Python/odr.py"))'"
        let variables = bug.map { "BROKEN_BUG=\($0) BROKEN_SEED=\(seed) " } ?? ""
        try programs.use(client: bench.script("client", "\(variables)exec \(call) \"$@\"").string)
        return programs
    }
}
