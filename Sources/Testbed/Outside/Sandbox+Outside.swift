import CLinux
import Glibc
import LinuxSupport
import SandboxMessages
package import SystemPackage

extension Sandbox {
    /// The interface of the host's network that leads outside.
    private static let outsideInterface = "outside0"
    /// The hardware address of the gateway, which `OutsideRoutes` in headwind-sandbox relies on.
    private static let outsideHardware = "9a:55:9a:55:9a:55"
    private static let outsideIPv6 = "fd77:2::1"
    private static let clientIPv6 = "fd77::2"

    /// Connects the host's network to this machine's networks through the program pasta(1) of passt, while `body` runs.
    ///
    /// Packets from the client to any address cross the link, and leave this machine as if the program ran on it
    /// directly. Programs reach this machine at ``SandboxAddresses/outside``. The sandbox's configuration must have
    /// `outside`. Throws what `body` throws; ``SandboxOutsideError``, also if it is not connected after `deadline`
    /// (default: 5 s); and ``SandboxError``.
    package func withOutside<Value>(
        by pasta: FilePath, within deadline: Duration = .seconds(5), _ body: (SandboxCompanion) async throws -> Value
    ) async throws -> Value {
        let (companion, intercept) = try await join(by: pasta, within: deadline)
        companion.tell(of: shortage)
        // Each relayed connection takes two descriptors.
        headwind_descriptors_raise()
        defer { headwind_descriptors_lower() }
        guard let intercept else { return try await body(companion) }
        let relay: OutsideRelay
        do throws(Errno) {
            relay = try OutsideRelay(self, intercept: intercept)
        } catch {
            throw SandboxError.noResources(attempted: "open a pipe", error)
        }
        return try await ending {
            try await body(companion)
        } with: {
            await relay.end()
        }
    }

    private func join(
        by pasta: FilePath, within deadline: Duration
    ) async throws -> (SandboxCompanion, intercept: FileDescriptor?) {
        // Its process identifier names the host's network. It has no privileges, so other processes may inspect it.
        let keeper = try await spawn(.keeper)
        let companion: SandboxCompanion
        // Without a default route pasta could lead only to this machine's own servers. The relay reaches those without
        // it.
        let leadsElsewhere = OutsideFamilies.current() != OutsideFamilies()
        do throws(Errno) {
            companion = try connection.accompany(
                leadsElsewhere
                    ? Self.arguments(pasta, network: "/proc/\(keeper.processIDOutside)/ns/net") : Self.idling,
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        } catch {
            throw SandboxOutsideError(program: pasta, problem: "\(error). Is it a program that you may run?")
        }
        let end = ContinuousClock.now + deadline
        do {
            while true {
                if let answer = try await attach(leadsElsewhere ? Self.outsideInterface : nil) {
                    keeper.signal(SIGKILL)
                    return (companion, answer.descriptors.first)
                }
                if let end = companion.end { throw Self.failure(of: pasta, end) }
                guard .now < end else {
                    throw SandboxOutsideError(
                        program: pasta,
                        problem: "it was not ready within \(deadline). Look for what keeps this machine busy.")
                }
                try await Task.sleep(for: .milliseconds(2))
            }
        } catch {
            companion.kill()
            throw error
        }
    }

    /// Attaches the sandbox to the interface; `nil` if the interface does not exist yet.
    private func attach(_ interface: String?) async throws -> SandboxConnection.Answer? {
        let families = OutsideFamilies.current()
        let answer = try await connection.request(
            \.attach, .init(interface: interface, hasIPv4: families.hasIPv4, hasIPv6: families.hasIPv6))
        guard let failure = answer.reply.failure else { return answer }
        if failure.stage == SandboxStage.attach.rawValue { return nil }
        throw SandboxError(
            SandboxStage(rawValue: failure.stage) ?? .attach, failure.error, detail: failure.detail)
    }

    /// Admits connections to an end to the host's network.
    func admit(_ end: OutsideEnd) async throws(SandboxError) {
        let answer = try await connection.request(\.admit, .init(address: end.address, port: end.port))
        if let failure = answer.reply.failure { throw .failed(attempted: "let connections in", failure.error) }
    }

    /// A socket that accepts connections to an end, once they are admitted.
    func listen(for end: OutsideEnd) async throws(SandboxError) -> FileDescriptor {
        try await socket(
            \.socket,
            .init(
                namespace: .host, family: end.family.rawValue, isStream: true, port: end.port, backlog: 512,
                address: end.address),
            attempted: "listen on port \(end.port) for an outside address"
        ).descriptor
    }

    /// The command line of a program that does nothing, instead of pasta.
    private static var idling: [String] {
        [Environment.program("sleep", others: ["/usr/bin", "/bin"])?.string ?? "/bin/sleep", "infinity"]
    }

    private static func arguments(_ pasta: FilePath, network: String) -> [String] {
        let outside = SandboxAddresses.outside
        var arguments = [
            pasta.string, "--foreground", "--stderr", "--quiet", "--netns", network, "--netns-only", "--no-netns-quit",
            // Forward no ports, neither from this machine to the sandbox nor from the sandbox to this machine.
            "--tcp-ports", "none", "--udp-ports", "none", "--tcp-ns", "none", "--udp-ns", "none",
            "--no-dhcp", "--no-dhcpv6", "--no-ra", "--ns-ifname", outsideInterface, "--mac-addr", outsideHardware,
            "--address", SandboxAddresses.clientIPv4, "--netmask", "30", "--gateway", outside.address,
            "--address", clientIPv6, "--gateway", outsideIPv6, "--dns-forward", outside.nameServer,
        ]
        // Otherwise it would become the user nobody, without privileges in the sandbox.
        if geteuid() == 0 { arguments += ["--runas", "0:0"] }
        return arguments
    }

    private static func failure(of pasta: FilePath, _ end: SandboxCompanion.End) -> SandboxOutsideError {
        let words = end.words.split(separator: "\n").filter { !$0.contains("syslog") }.suffix(3).joined(separator: "; ")
        let remedy =
            if unsafe access("/dev/net/tun", R_OK | W_OK) != 0 {
                "It needs /dev/net/tun, which this user may not open: sudo chmod 0666 /dev/net/tun."
            } else {
                "Try a newer version of the package 'passt'."
            }
        return SandboxOutsideError(
            program: pasta,
            problem: "it ended (\(end.status)) and said: \(words.isEmpty ? "nothing" : words). \(remedy)")
    }
}

extension SandboxCommand {
    fileprivate static var keeper: SandboxCommand {
        var command = SandboxCommand(["sleep", "infinity"], environment: ["PATH": "/usr/bin:/bin"])
        command.namespace = .host
        command.directory = "/"
        return command
    }
}

/// The versions of the Internet Protocol for which this process's network has a default route.
struct OutsideFamilies: Equatable {
    var hasIPv4 = false
    var hasIPv6 = false

    init() {}

    /// Reads /proc/net/route (see proc(5)) and /proc/net/ipv6_route.
    ///
    /// A line of the latter has the destination, its length, and the interface last.
    static func current() -> OutsideFamilies {
        OutsideFamilies(
            ipv4: BoundedFile.text("/proc/self/net/route") ?? "",
            ipv6: BoundedFile.text("/proc/self/net/ipv6_route") ?? "")
    }

    init(ipv4: String, ipv6: String) {
        hasIPv4 = Self.rows(ipv4).dropFirst().contains { $0.count > 7 && $0[1] == "00000000" && $0[7] == "00000000" }
        hasIPv6 = Self.rows(ipv6).contains { row in
            row.count == 10 && row[0].allSatisfy { $0 == "0" } && row[1] == "00" && row[9] != "lo"
        }
    }

    private static func rows(_ text: String) -> [[Substring]] {
        text.split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" } }
    }
}

/// Why a sandbox cannot be connected to this machine's networks.
package struct SandboxOutsideError: Error, Equatable, CustomStringConvertible {
    /// The program that should connect it.
    package let program: FilePath
    /// What happened, and what to try.
    package let problem: String

    package var description: String {
        "Could not connect the sandbox to this machine's networks with '\(program)': \(problem)"
    }
}
