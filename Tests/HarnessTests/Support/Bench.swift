import Evidence
import Foundation
import LinkModel
import Reports
import Results
import Scenarios
import Synchronization
import SystemPackage

@testable import Harness
@testable import Links

/// A folder with packs of known bytes, and runs of scenarios against them; removed with the object.
final class Bench: Sendable {
    let folder: FilePath

    /// Headwind's programs, which are in the folder of the test program.
    static let programs: Programs = {
        let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return Programs(beside: FilePath(executable ?? CommandLine.arguments[0]))
    }()

    static let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        .removingLastComponent()

    static let profiles = ProfileLibrary(folder: root.appending("profiles"))

    init(packs: [String: Int] = ["level.bin": 200_000]) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "harness-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = FilePath(url.path)
        for (name, size) in packs { try write("packs/\(name)", Self.content(size)) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder.string)
    }

    /// Bytes that do not compress and do not repeat at other offsets; a shorter content is a prefix of a longer one.
    static func content(_ count: Int) -> [UInt8] {
        // The bytes are kept, because making them without optimisation takes a tenth of a second for each MB.
        made.withLock { made in
            let more = (0..<max(0, count - made.bytes.count)).map { _ in
                made.state = made.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: made.state >> 56)
            }
            made.bytes += more
            return Array(made.bytes.prefix(count))
        }
    }

    /// The longest content that any test asked for so far.
    private static let made = Mutex<(bytes: [UInt8], state: UInt64)>(([], 0x9E37_79B9_7F4A_7C15))

    @discardableResult
    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> FilePath {
        let path = folder.appending(name)
        try FileManager.default.createDirectory(
            atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path.string))
        return path
    }

    /// Writes a shell script that can be run.
    func script(_ name: String, _ text: String) throws -> FilePath {
        let path = try write(name, Array("#!/bin/sh\n\(text)\n".utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path.string)
        return path
    }

    /// Prepares a run of a scenario; adds defaults for `packs`, a link of 20 Mbit/s and 10 ms, a request and a deadline
    /// of 20 s.
    func prepare(_ text: String, dependencies: AttemptDependencies = .quiet, programs: Programs = Bench.programs) throws
        -> Run
    {
        var lines = ["scenario: A test"]
        let contents = ["catalog", "packs", "host", "network"]
        if !contents.contains(where: { Self.has($0, text) }) { lines.append("packs: ./packs/") }
        if !Self.has("link", text) { lines.append("link: \(Self.link)") }
        if !Self.has("workload", text) { lines.append("workload: [{request: {tags: [level.bin]}}]") }
        if !Self.has("deadline", text) { lines.append("deadline: 20 s") }
        let file = try write("test.yaml", Array((lines.joined(separator: "\n") + "\n" + text + "\n").utf8))
        let scenarios = try ScenarioLoader(profiles: Self.profiles).load(file)
        var run = Run(scenarios: scenarios, programs: programs, toolVersion: "1", commandLine: ["headwind", "run"])
        run.dependencies = dependencies
        run.backend = .proxy
        return run
    }

    func run(_ text: String, dependencies: AttemptDependencies = .quiet, programs: Programs = Bench.programs)
        async throws -> RunResult
    {
        try await prepare(text, dependencies: dependencies, programs: programs).perform()
    }

    /// A fast link, so that a test takes a fraction of a second.
    static let link =
        "{downlink: {rate: 20 Mbit/s, delay: 10 ms}, uplink: {rate: 20 Mbit/s, delay: 10 ms}}"

    private static func has(_ key: String, _ text: String) -> Bool {
        text.split(separator: "\n").contains { $0.hasPrefix(key + ":") }
    }
}

extension AttemptDependencies {
    /// Dependencies for tests of neither the probe nor the noise: no calibration, and no attempt is too noisy.
    static var quiet: AttemptDependencies {
        var dependencies = AttemptDependencies()
        dependencies.calibrate = { _ in [] }
        dependencies.noiseLimits = .none
        return dependencies
    }

    /// Dependencies whose links differ from the ones that were asked for.
    static func link(_ change: @escaping @Sendable (inout Profile) -> Void) -> AttemptDependencies {
        var dependencies = AttemptDependencies.quiet
        dependencies.links.withLink = { backend, setup, place, body in
            var changed = setup
            change(&changed.profile)
            try await backend.provider.withLink(changed, at: place, body)
        }
        return dependencies
    }

    /// The same with the probe that every run has.
    var calibrated: AttemptDependencies {
        var dependencies = self
        dependencies.calibrate = AttemptDependencies().calibrate
        return dependencies
    }
}

extension AttemptDependencies {
    /// The same with a probe that measures nothing.
    var unverified: AttemptDependencies {
        var dependencies = self
        dependencies.calibrate = { $0.unverified("the probe did not come back") }
        return dependencies
    }
}

extension NoiseLimits {
    /// Nothing is too noisy.
    static let none = NoiseLimits(lateness: .seconds(1_000_000), usualLateness: .seconds(1_000_000), steal: 2)
}

extension RunResult {
    /// The attributions of all findings of the run and of its cells.
    var attributions: Set<Attribution> {
        Set((findings + cells.flatMap(\.findings)).map(\.attribution))
    }

    /// The report for a terminal.
    var text: String { TextReport(isVerbose: true).render(self) }
}
