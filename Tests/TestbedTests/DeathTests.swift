import CTestbed
import Glibc
import SystemPackage
import Testing

extension TestbedTests {
    /// Killing any process of a sandbox at any time leaves nothing of it.
    @Suite struct DeathTests {
        enum Victim: String, CaseIterable, CustomTestStringConvertible {
            case harness = "testbed-trial"
            case initializer = "headwind-init"
            /// The kernel keeps 15 bytes of the name.
            case sandbox = "headwind-sandbo"
            case client = "sleep"

            var testDescription: String { rawValue }
        }

        @Test(arguments: Victim.allCases, User.allCases)
        func leavesNothing(victim: Victim, user: User) async throws {
            let before = machine()
            let trial = try Trial(["hold"], "\(stubbornDaemon) exec sleep 600", as: user)
            defer { trial.end() }
            #expect(trial.nextLine() == "up")
            // A client may still be the shell before it executes the program.
            #expect(await eventually { !trial.processes(named: victim.rawValue).isEmpty })
            for number in trial.processes(named: victim.rawValue) { kill(number, SIGKILL) }
            if victim == .initializer || victim == .sandbox {
                #expect(trial.nextLine().hasPrefix("failed: A sandbox ended too early"))
            }
            #expect(
                await eventually {
                    // A client's death does not end the sandbox, so all of its clients are killed.
                    if victim == .client { trial.processes(named: "sleep").forEach { kill($0, SIGKILL) } }
                    return allProcesses(bearing: trial.token).isEmpty
                })
            #expect(machine() == before)
        }

        /// Kills the harness and one other process, which chance chooses, at a random moment.
        ///
        /// Most moments hit a sandbox that is starting or ending.
        @Test func leavesNothingAtAnyMoment() async throws {
            let before = machine()
            var random = SystemRandomNumberGenerator()
            for round in 0..<20 {
                let trial = try Trial(["loop"], "exec sleep 600", as: User.allCases[round % 2])
                defer { trial.end() }
                let moment = Duration.microseconds(Int.random(in: 0..<200_000, using: &random))
                try await Task.sleep(for: moment)
                let victims = allProcesses(bearing: trial.token).keys.sorted()
                if let victim = victims.randomElement(using: &random) { kill(victim, SIGKILL) }
                kill(trial.processID, SIGKILL)
                let isGone = await eventually { allProcesses(bearing: trial.token).isEmpty }
                #expect(isGone, "killed after \(moment)")
            }
            #expect(machine() == before)
        }
    }
}

/// A harness that can be killed.
///
/// It has no guard, as a guard would remove what it leaves.
private final class Trial {
    let token = "headwind-test-" + String(UInt64.random(in: .min ... .max), radix: 36)
    let processID: Int32
    private let output: FileDescriptor

    init(_ options: [String], _ script: String, as user: User) throws {
        let arguments =
            [program("testbed-confine").string] + user.confinement + ["--", program("testbed-trial").string] + options
            + ["--token", token, "--", "sh", "-c", script]
        let pipe = try FileDescriptor.pipe()
        output = pipe.readEnd
        let strings = arguments.map { strdup($0) } + [nil]
        let variables = [strdup("PATH=/usr/local/bin:/usr/bin:/bin:/\(token)"), nil]
        defer { (strings + variables).forEach { free($0) } }
        processID = testbed_start(strings, variables, pipe.writeEnd.rawValue, STDOUT_FILENO)
        try pipe.writeEnd.close()
        try #require(processID > 0)
    }

    /// The trial's processes with a name.
    func processes(named name: String) -> [Int32] {
        allProcesses(bearing: token).filter { $0.value == name }.map(\.key)
    }

    /// The next line of its output.
    func nextLine() -> String {
        var line = "", byte: [UInt8] = [0]
        while let count = try? byte.withUnsafeMutableBytes({ try output.read(into: $0) }), count > 0, byte[0] != 10 {
            line.unicodeScalars.append(Unicode.Scalar(byte[0]))
        }
        return line
    }

    func end() {
        kill(processID, SIGKILL)
        waitpid(processID, nil, 0)
        try? output.close()
    }
}
