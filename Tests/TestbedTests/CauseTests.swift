import Glibc
import SandboxMessages
import SystemPackage
import Testing

@testable import Testbed

/// The message for a kernel's error depends on what the machine reports about itself.
@Suite struct CauseTests {
    struct Case: CustomTestStringConvertible {
        let stage: SandboxStage
        let error: Errno
        var readings = SandboxReadings()
        let kind: SandboxRefusal.Kind?
        var words: [String] = []

        var testDescription: String { "\(stage) \(error.rawValue) \(kind?.rawValue ?? "none")" }
    }

    static let appArmor = SandboxReadings(appArmorRestriction: 1)
    static let filtered = SandboxReadings(isFiltered: true)

    @Test(arguments: [
        // The kernel of Ubuntu 23.10 forbids the clone itself, that of 24.04 its later use.
        Case(
            stage: .clone, error: .permissionDenied, readings: appArmor, kind: .appArmor,
            words: ["AppArmor", "sysctl kernel.apparmor_restrict_unprivileged_userns=0", "profile", "root"]),
        Case(stage: .clone, error: .notPermitted, readings: appArmor, kind: .appArmor),
        Case(stage: .maps, error: .notPermitted, readings: appArmor, kind: .appArmor),
        Case(stage: .privileges, error: .notPermitted, readings: appArmor, kind: .appArmor),
        Case(stage: .scratch, error: .permissionDenied, readings: appArmor, kind: .appArmor),
        Case(stage: .tunAttach, error: .notPermitted, readings: appArmor, kind: .appArmor),
        // AppArmor does not restrict privileged processes.
        Case(
            stage: .clone, error: .notPermitted, readings: SandboxReadings(appArmorRestriction: 1, isPrivileged: true),
            kind: .forbidden, words: ["chroot"]),
        Case(stage: .clone, error: .notPermitted, readings: SandboxReadings(appArmorRestriction: 0), kind: .forbidden),
        Case(
            stage: .clone, error: .notPermitted, readings: SandboxReadings(appArmorRestriction: 1, isFiltered: true),
            kind: .seccomp),
        Case(stage: .clone, error: .notPermitted, readings: filtered, kind: .seccomp),
        Case(
            stage: .clone, error: .notPermitted, readings: SandboxReadings(unprivilegedClone: 0, isFiltered: true),
            kind: .switchedOff, words: ["sysctl kernel.unprivileged_userns_clone=1"]),
        Case(
            stage: .clone, error: .notPermitted,
            readings: SandboxReadings(unprivilegedClone: 0, isFiltered: true, isPrivileged: true), kind: .seccomp),
        Case(
            stage: .clone, error: .noSpace, readings: SandboxReadings(namespaceLimits: ["max_pid_namespaces": 0]),
            kind: .limit, words: ["not a full disk", "/proc/sys/user/max_pid_namespaces limits namespaces to 0"]),
        Case(
            stage: .network, error: .noSpace,
            readings: SandboxReadings(namespaceLimits: ["max_user_namespaces": 100, "max_net_namespaces": 2]),
            kind: .limit,
            words: ["max_net_namespaces limits namespaces to 2"]),
        Case(
            stage: .clone, error: .noSpace, readings: SandboxReadings(namespaceLimits: ["max_user_namespaces": 100]),
            kind: .limit, words: ["not a full disk", "Run fewer sandboxes at once", "for a container, do it outside"]),
        Case(stage: .clone, error: .tooManyUsers, kind: .limit),
        Case(stage: .clone, error: .invalidArgument, kind: .notBuilt, words: ["CONFIG_USER_NS"]),
        Case(stage: .tunOpen, error: .operationNotSupportedByDevice, kind: .noTUN, words: ["its driver is missing"]),
        Case(stage: .tunOpen, error: .notPermitted, kind: .tunMode, words: ["control group", "--device"]),
        Case(
            stage: .tunOpen, error: .permissionDenied, readings: SandboxReadings(tun: .present(mode: 0o660)),
            kind: .tunMode, words: ["mode is 0660"]),
        Case(stage: .route, error: .notPermitted, kind: .noNetworkAdministration),
        Case(stage: .cable, error: .notPermitted, kind: .noNetworkAdministration),
        Case(stage: .cable, error: .notSupported, kind: .noCables, words: ["no veth", "CONFIG_VETH"]),
        Case(
            stage: .watch, error: .addressFamilyNotSupported, kind: .noPacketSockets,
            words: ["no packet sockets", "CONFIG_PACKET"]),
        // A full disk is no limit of namespaces, and a used port is no refusal.
        Case(stage: .storage, error: .noSpace, kind: nil),
        Case(stage: .resolver, error: .addressInUse, kind: nil),
        Case(stage: .clone, error: .noMemory, kind: nil),
    ])
    func tellsTheCause(_ example: Case) {
        let refusal = SandboxRefusal(example.stage, example.error, readings: example.readings)
        #expect(refusal?.kind == example.kind)
        for word in example.words { #expect(refusal?.description.contains(word) == true) }
        if let refusal {
            #expect(refusal.description.contains("(The system says: \(example.error).)"))
            #expect(!refusal.cause.isEmpty && !refusal.remedy.isEmpty)
        }
    }

    @Test func readsThisMachine() {
        let readings = SandboxReadings.current()
        #expect(readings.namespaceLimits["max_user_namespaces"] ?? 0 > 0)
        #expect(readings.isPrivileged == (geteuid() == 0))
        #expect(!readings.isFiltered)
    }
}
