import Harness
import LinkModel
import Links
import LinuxSupport
import PacketLink
import Redaction
import ResultFiles
package import Scenarios
package import SystemPackage
import Testbed
import Wording

/// The files to keep of programs that ran: a bundle, a scenario, or both.
package struct ExecKeeping: Sendable {
    private let scenario: ProgramScenario
    /// The run as a cell of the scenario.
    package let cell: Scenarios.Cell
    private let bundle: FilePath?
    private let file: FilePath?
    private let attempts: Int
    private let toolVersion: String
    private let writeFile: @Sendable (String, FilePath) throws -> Void

    /// The exit status that the program should end with.
    var status: Int32 { scenario.status }

    /// Keeps a bundle of this version of the tool, and a scenario, which `writeFile` writes to its file.
    ///
    /// Call it before the program runs: it throws if the files could not be kept.
    package init(
        _ scenario: ProgramScenario, _ profiles: ProfileLibrary, bundle: FilePath?, file: FilePath?, attempts: Int,
        toolVersion: String, writeFile: @escaping @Sendable (String, FilePath) throws -> Void
    ) throws {
        self.scenario = scenario
        self.bundle = bundle
        self.file = file
        self.attempts = min(attempts, 1000)
        (self.toolVersion, self.writeFile) = (toolVersion, writeFile)
        cell = try scenario.cell(profiles)
        if let bundle, let obstacle = BundlePlace(bundle).obstacle {
            throw ExecError(obstacle)
        }
    }

    /// Writes the bundle of a run; returns the lines to show to the user.
    func write(_ record: ProgramRecord, of plan: ExecPlan, by backend: LinkBackend?) throws -> [TerminalText] {
        guard let bundle else { return [] }
        var cell = cell
        cell.link.seed = plan.seed
        try record.writeBundle(
            to: bundle, of: cell, over: backend ?? .packet,
            Programs(beside: BundledFiles.executable).facts(toolVersion: toolVersion), capture: plan.capture?.path)
        return ["the bundle is in \(bundle); 'headwind replay \(bundle)' plays it"]
    }

    /// Writes the scenario, for the backend that was used; returns the lines to show to the user.
    func writeScenario(by backend: LinkBackend?) throws -> [TerminalText] {
        guard let file, let backend else { return [] }
        var scenario = scenario
        scenario.fidelity = backend.fidelity
        scenario.attempts = attempts
        scenario.words = Redaction.arguments(scenario.words)
        // The file may be committed to a project, so its paths are relative to its folder.
        scenario.folder = scenario.directory.pushing(file).removingLastComponent()
        try writeFile(scenario.text, file)
        let secrets: TerminalText =
            "the scenario leaves out CMD's secrets: add them, best from the environment, before you run it"
        return ["the scenario is in \(file); 'headwind run \(file)' runs it"]
            + (scenario.words == self.scenario.words ? [] : [secrets])
    }
}

/// The file that records the packets of a program, with or without its TLS secrets.
package struct ExecCapture: Sendable {
    let path: FilePath
    let keepsSecrets: Bool

    /// The file for the program's TLS secrets, in the sandbox's own memory, so they always end with the sandbox.
    private static let keyLog = FilePath("tls-keys")

    package init(path: FilePath, keepsSecrets: Bool) {
        self.path = path.whole
        self.keepsSecrets = keepsSecrets
    }

    /// Whether there is a device at the path, such as /dev/null.
    package static func isDevice(_ path: FilePath) -> Bool {
        (try? path.stat()).map { [.characterSpecial, .blockSpecial].contains($0.type) } ?? false
    }

    /// The capture of packets that a link makes.
    var packets: PacketCapture { PacketCapture(path: path, hasPayload: keepsSecrets) }

    /// The additional variables of a program in a sandbox.
    func variables(in sandbox: Testbed.Sandbox) -> [String: String] {
        keepsSecrets ? ["SSLKEYLOGFILE": sandbox.scratch.inside.appending(Self.keyLog.components).string] : [:]
    }

    /// Adds the secrets that the program has written to the capture.
    func addSecrets(of sandbox: Testbed.Sandbox) throws {
        guard keepsSecrets, let file = try? sandbox.scratch.open(Self.keyLog) else { return }
        try file.closeAfter { try KeyLog(FilePath("/proc/self/fd/\(file.rawValue)")).copy(into: path) }
    }
}
