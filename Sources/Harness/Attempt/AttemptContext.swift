import Evidence
import Links
import Results
import Scenarios
import SystemPackage
import Testbed

/// What all attempts of a cell share.
struct CellContext: Sendable {
    var cell: Cell
    let content: PreparedContent?
    var programs: Programs
    var dependencies = AttemptDependencies()
    /// What carries the link.
    var backend = LinkBackend.proxy
    /// Where packets are recorded; nil: nowhere.
    var capture: AttemptCapture?
    /// What the link showed before the attempts; empty where it was not probed.
    var calibration: [LinkMeasurement] = []
    /// The run's folder for what must not remain, and the cell's own in it.
    let runScratch: FilePath
    let scratch: FilePath
    /// Which pair of two that take turns the attempt is of, from 0: both have the same seed.
    ///
    /// Nil where none do.
    var pair: Int?
    /// Told when an attempt only waits for a client that shows no sign of life.
    var onIdle: @Sendable () -> Void = {}

    /// Random decisions of an attempt come from a seed of its own, so that a budget is judged by several draws.
    ///
    /// That of a schedule, where one is played that has one, is the same for all.
    func seed(attempt: Int) -> UInt64 {
        cell.schedule?.faults.seed ?? cell.link.seed &+ UInt64(pair ?? attempt - 1)
    }

    /// What the evidence of an attempt is read and judged with.
    func setup(attempt: Int) -> AttemptSetup {
        var setup = AttemptSetup(cell, content: content)
        (setup.number, setup.seed) = (attempt, seed(attempt: attempt))
        (setup.clientName, setup.isClientForeign) = (programs.clientName, programs.isClientForeign)
        (setup.isInSandbox, setup.hasBuckets) = (backend.isInSandbox, backend.provider.hasBuckets)
        (setup.calibration, setup.noiseLimits) = (calibration, dependencies.noiseLimits)
        setup.wantsCapture = capture.map { $0.limit > AttemptCapture.leastLimit } ?? false
        setup.scheduleFile = CellFiles.schedule(of: cell.id, attempt: attempt)
        return setup
    }
}

extension Programs {
    /// Whether what runs in the client's place takes the room that a file system has.
    ///
    /// Headwind's own client keeps account of it, by the byte, so that each backend gives the same verdict.
    func isFilledByFiles(in cell: Scenarios.Cell) -> Bool { isClientForeign || !cell.workload.isBuiltIn }
}

extension CellContext {
    /// The networks in which an attempt of this cell runs.
    var sandboxConfiguration: SandboxConfiguration {
        var configuration = SandboxConfiguration()
        configuration.link = backend.provider.sandbox ?? .packets
        configuration.storageSize = programs.isFilledByFiles(in: cell) ? cell.device.storage?.bytes : nil
        configuration.mtu = cell.link.profile.conditions.mtu
        configuration.names =
            [PreparedContent.hostName, PreparedContent.otherHostName] + (content?.authorities.map(\.host) ?? [])
        // Unless it is asked for, names have no IPv6 address: clients would try that first.
        for (names, state) in [
            (\SandboxConfiguration.ipv4Names, cell.addresses.ipv4),
            (\SandboxConfiguration.ipv6Names, cell.addresses.ipv6),
        ] {
            // What refuses is the host, which does not listen there.
            configuration[keyPath: names] = state == nil ? .none : state == .silent ? .silent : .host
        }
        configuration.isOpen = !cell.content.isOurs
        let resolved = dependencies.resolved.map { ($0.name, address(of: $0)) }
        configuration.resolved = cell.content.isOurs ? [:] : Dictionary(resolved) { $1 }
        if case .host(let host) = cell.content {
            configuration.leadsLoopback = StagingWay(to: host, dependencies.resolved).leadsLoopback
        }
        return configuration
    }

    /// Where a name leads in a sandbox: the loopback of a program in this machine's networks is its own.
    private func address(of resolved: ResolvedName) -> String {
        guard case .network = cell.content, InternetAddress(resolved.address)?.isLoopback == true else {
            return resolved.address
        }
        return SandboxAddresses.outside.address
    }
}
