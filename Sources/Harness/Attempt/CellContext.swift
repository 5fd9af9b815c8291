import Evidence
import Links
import LinuxSupport
import Results
import Scenarios
import SystemPackage
import Testbed

/// What the attempts of all cells of a run share.
struct RunSettings: Sendable {
    var programs: Programs
    var dependencies = AttemptDependencies()
    /// The folder for results; nil: none are written.
    var output: FilePath?
    /// The packets that are recorded in `output`; nil: only those that a bundle contains.
    var capture: RunCapture?
    /// Names with fixed addresses, for hosts that Headwind does not start.
    var resolved: [ResolvedName] = []
}

/// What all attempts of a cell share.
struct CellContext: Sendable {
    /// The settings of the run that the cell is a part of.
    var settings: RunSettings
    var cell: Cell
    let content: PreparedContent?
    /// The backend of the link, and why it was chosen.
    let plan: BackendPlan
    /// Measurements of the link before the attempts; empty if it was not probed.
    var calibration: [LinkMeasurement] = []
    /// The run's folder for temporary files, and the cell's own folder in it.
    let runScratch: FilePath
    var scratch: FilePath
    /// The number of the attempt's pair, from 0, when two cells take turns; both have the same seed.
    ///
    /// nil if none do.
    var pair: Int?
    /// Called when an attempt only waits for a client that shows no sign of life.
    var onIdle: @Sendable () -> Void = {}

    var backend: LinkBackend { plan.backend }
    var programs: Programs { settings.programs }
    var dependencies: AttemptDependencies { settings.dependencies }

    /// The seed of an attempt's random decisions; each attempt has another, so that budgets are judged over several
    /// draws.
    ///
    /// A schedule that is played may have a seed, which all attempts then use.
    func seed(attempt: Int) -> UInt64 {
        cell.schedule?.faults.seed ?? cell.link.seed &+ UInt64(pair ?? attempt - 1)
    }

    /// What reads and judges the evidence of an attempt.
    func setup(attempt: Int) -> AttemptSetup {
        var setup = AttemptSetup(cell, content: content)
        (setup.number, setup.seed) = (attempt, seed(attempt: attempt))
        (setup.clientName, setup.isClientForeign) = (programs.clientName, programs.isClientForeign)
        (setup.isInSandbox, setup.hasBuckets) = (backend.isInSandbox, backend.provider.hasBuckets)
        (setup.calibration, setup.noiseLimits) = (calibration, dependencies.noiseLimits)
        setup.wantsCapture = captures != nil && captureLimit > RunCapture.leastLimit
        setup.scheduleFile = CellFiles.schedule(of: cell.id, attempt: attempt)
        return setup
    }

    /// The folder for the packets of attempts; nil: packets are not recorded.
    ///
    /// If no capture was requested, they are for a bundle, and are removed with the run.
    var captures: FilePath? {
        guard let output = settings.output, backend.provider.recordsPackets else { return nil }
        return (settings.capture == nil ? runScratch : output).appending(CellFiles.captures)
    }

    /// The file for the packets of an attempt; nil: they are not recorded.
    func capture(attempt: Int) -> FilePath? {
        let name = settings.capture == nil ? scratch.lastComponent?.string ?? "" : cell.id
        return captures?.appending(CellFiles.capture(name, attempt: attempt))
    }

    /// The limit in bytes on the recording of an attempt; packets after that are not recorded.
    var captureLimit: Int64 { settings.capture?.limit ?? RunCapture.leastLimit }

    /// Whether payloads are recorded too, and the secrets that decrypt them.
    var keepsSecrets: Bool { captures != nil && settings.capture?.keepsSecrets == true }
}

extension Programs {
    /// Whether the client's files fill the device's file system.
    ///
    /// Headwind's own client counts its storage by the byte instead, so that each backend gives the same verdict.
    /// Only a file system can become full meanwhile.
    func isFilledByFiles(in cell: Scenarios.Cell) -> Bool {
        isClientForeign || !cell.workload.isBuiltIn || cell.fillsDevice
    }
}

extension CellContext {
    /// The networks in which an attempt of this cell runs.
    var sandboxConfiguration: SandboxConfiguration {
        var configuration = SandboxConfiguration()
        configuration.link = backend.provider.sandbox ?? .packets
        configuration.storageSize = programs.isFilledByFiles(in: cell) ? cell.storageSize(content) : nil
        configuration.mtu = cell.link.profile.conditions.mtu
        configuration.names =
            [PreparedContent.hostName, PreparedContent.otherHostName] + (content?.authorities.map(\.host) ?? [])
        // Names have no IPv6 address unless the scenario asks for one: clients would try that first.
        for (names, state) in [
            (\SandboxConfiguration.ipv4Names, cell.addresses.ipv4),
            (\SandboxConfiguration.ipv6Names, cell.addresses.ipv6),
        ] {
            // A refused address is the host's, which does not listen there.
            configuration[keyPath: names] = state == nil ? .none : state == .silent ? .silent : .host
        }
        guard !cell.content.isOurs else { return configuration }
        var outside = SandboxAddresses.outside
        let resolved = settings.resolved.map { ($0.name, address(of: $0)) }
        outside.resolved = resolved.isEmpty ? nil : Dictionary(resolved) { $1 }
        if case .host(let host) = cell.content, StagingWay(to: host, settings.resolved).leadsLoopback {
            outside.leadsLoopback = true
        }
        configuration.outside = outside
        return configuration
    }

    /// The address of a name in a sandbox; a program in this machine's networks has a loopback of its own.
    private func address(of resolved: ResolvedName) -> String {
        guard case .network = cell.content, SocketName(anyForm: resolved.address)?.isLoopback == true else {
            return resolved.address
        }
        return SandboxAddresses.outside.address
    }
}

/// The options of a run that records packets.
package struct RunCapture: Sendable {
    /// Whether payloads are recorded too, and the secrets that decrypt them.
    package var keepsSecrets: Bool
    /// The limit in bytes on the recording of an attempt (default: 256 MiB); packets after that are not recorded.
    package var limit: Int64

    /// The limit if no capture was requested, for attempts that may fail: 4 MiB, the headers of some 30,000 packets.
    static let leastLimit: Int64 = 4 << 20

    package init(keepsSecrets: Bool, limit: Int64 = 256 << 20) {
        self.keepsSecrets = keepsSecrets
        self.limit = limit
    }
}
