import Links
import LinuxSupport
import ProcessGuard

/// What this machine can do: its backends, the properties of profiles that they support, and its noise.
struct MachineReport: Sendable, Encodable {
    /// The version of the JSON form; keys may be added without a new one.
    var version = 1
    var backends: [Backends.Row]
    var properties: [PropertyRow]
    /// nil if there is no sandbox, so that it is unknown.
    var kernelParts: [KernelPartRow]?
    var noise: MachineNoise

    private enum CodingKeys: String, CodingKey {
        case version, backends, properties, noise
        case kernelParts = "kernel"
    }

    /// Tries everything, which takes a second, and leaves nothing behind.
    ///
    /// Throws only `CancellationError`.
    static func make() async throws -> MachineReport {
        let machine = try await LinkMachine.probe()
        var backends = Backends.rows(on: machine)
        if try await !hasProcessNamespace {
            for (index, backend) in LinkBackend.allCases.enumerated() where !backend.isInSandbox {
                backends[index].notes.append(withoutProcessNamespace)
            }
        }
        if let obstacle = try await OutsideProgram.obstacle(to: OutsideProgram.find(), by: LinkDependencies()) {
            for (index, backend) in LinkBackend.allCases.enumerated()
            where backend.isInSandbox && backends[index].isAvailable {
                backends[index].notes.append(withoutNetworks + obstacle)
            }
        }
        // If there is no sandbox, the backends say why.
        let parts = machine.kernel?.parts
        // Nothing else runs now, so this is the machine's own noise.
        let noise = try await MachineNoise.watch(for: .milliseconds(500))
        return MachineReport(
            backends: backends, properties: PropertyRow.all(on: machine),
            kernelParts: parts?.map(KernelPartRow.init),
            noise: noise)
    }

    static let withoutNetworks = "It cannot connect to this machine's networks, as 'headwind exec' does: "
    static let withoutProcessNamespace =
        "Clients have no process namespace, which needs CAP_SYS_ADMIN: if both process guards of a client are killed at once, "
        + "processes that it started may remain."

    /// Whether clients over the proxy get a process namespace; also true if a guard cannot be tried.
    private static var hasProcessNamespace: Bool {
        get async throws {
            var command = GuardedCommand("true", environment: Environment.all)
            command.wantsNamespace = true
            do {
                return try await runGuarded(command).hadNamespace
            } catch is GuardError {
                return true
            }
        }
    }
}
