import Foundation
import Glibc
import SystemPackage
import Testing

@testable import headwind

/// Machines that allow no sandboxes, and what the three commands that need sandboxes say on them.
///
/// All three give the same cause and remedy. Needs root to imitate the machines.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3))) struct RefusedSandboxTests {
    struct Machine: CustomTestStringConvertible {
        let confinement: String
        let words: [String]

        var testDescription: String { confinement }
    }

    static let machines = [
        Machine(
            confinement: "--tun 666 --user 65534 --no-user-namespaces",
            words: [
                "this is not a full disk: /proc/sys/user/max_user_namespaces limits namespaces to 0",
                "No space left on device", "sysctl user.max_user_namespaces=10000",
            ]),
        Machine(
            confinement: "--tun 666 --user 65534 --filter clone",
            words: ["a seccomp filter", "Operation not permitted", "--security-opt seccomp=unconfined"]),
        Machine(
            confinement: "--tun 666 --apparmor --user 65534 --filter tun",
            words: ["AppArmor restricts user namespaces", "sysctl kernel.apparmor_restrict_unprivileged_userns=0"]),
        Machine(
            confinement: "--tun absent",
            words: ["there is no /dev/net/tun here", "modprobe tun", "--device /dev/net/tun"]),
        Machine(
            confinement: "--tun 600 --user 65534",
            words: ["its mode is 0600", "Permission denied", "sudo chmod 0666 /dev/net/tun", "udev rule"]),
        Machine(
            confinement: "--filter tun",
            words: ["CAP_NET_ADMIN is missing in the sandbox's own user namespace", "Operation not permitted", "dmesg"]),
    ]

    private static let scenario = """
        scenario: Small
        catalog: shapes
        link: {profile: dsl, fidelity: packet}
        workload: [{request: {tags: [circle]}}]
        """

    /// Runs a shell line in a folder with a scenario, as that machine.
    private func run(_ line: String) async throws -> ExecRun.Answer {
        let run = try ExecRun()
        defer { run.remove() }
        try Data(Self.scenario.utf8).write(to: URL(filePath: run.folder.appending("small.yaml").string))
        return try await run.run(line)
    }

    @Test(.needsRoot, arguments: machines)
    func doctorNamesCauseAndRemedy(machine: Machine) async throws {
        let told = try await run("exec $CONFINE \(machine.confinement) -- $HW doctor")
        #expect(told.status == 0)
        for word in machine.words { #expect(told.output.contains(word), "\(told.output)") }
        let required = try await run("exec $CONFINE \(machine.confinement) -- $HW doctor --require packet")
        #expect(required.status == 69)
    }

    @Test(.needsRoot, arguments: machines)
    func execNamesCauseAndRemedy(machine: Machine) async throws {
        let told = try await run(
            "exec $CONFINE \(machine.confinement) -- $HW exec --backend packet --profile lte -- true")
        #expect(told.status == 125)
        for word in machine.words { #expect(told.errors.contains(word), "\(told.errors)") }
    }

    @Test(.needsRoot, arguments: machines)
    func runNamesCauseAndRemedy(machine: Machine) async throws {
        let told = try await run(
            "TMPDIR=$PWD exec $CONFINE \(machine.confinement) -- $HW run small.yaml --backend packet")
        #expect(told.status == 69, "\(told.output)\(told.errors)")
        // A report wraps its lines.
        let text = (told.output + told.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for word in machine.words { #expect(text.contains(word), "\(text)") }
    }

    /// A sixth machine covers parts of /proc, and everything works.
    @Test(.needsRoot, arguments: ["", "--tun 666 --user 65534"])
    func aMaskedProcIsTolerated(user: String) async throws {
        let machine = "$CONFINE --cover /proc/interrupts \(user) --"
        let told = try await run("exec \(machine) $HW doctor --require packet")
        #expect(told.status == 0 && told.output.contains("systempaths=unconfined"), "\(told.output)")
        let exec = try await run("exec \(machine) $HW exec --backend packet --profile lte -- sh -c 'exit 3'")
        #expect(exec.status == 3, "\(exec.errors)")
        let run = try await run("measured env TMPDIR=$PWD \(machine) $HW run small.yaml")
        #expect(run.status == 0, "\(run.output)\(run.errors)")
    }
}
