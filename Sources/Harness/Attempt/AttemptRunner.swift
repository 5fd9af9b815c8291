import Evidence
import HostTLS
import LinkModel
import LinkProbe
import Links
import LinuxSupport
import PackFormat
import PackHost
import ProcessGuard
import Results
import Scenarios
import Synchronization
import SystemPackage
import Testbed
import Witness

/// Runs one attempt of a cell: a fresh host, link, device and client, each in a scope of its own.
final class AttemptRunner: Sendable {
    let context: CellContext
    let number: Int
    private let trace = Mutex(AttemptTrace())
    /// The lines of the host's key log, if they are kept.
    private let secrets = Mutex<[UInt8]>([])
    private let signs = SignsOfLife()

    /// The limit on the host's key log, 16 MiB: some 100,000 connections.
    private static let mostSecretBytes = 16 << 20

    init(context: CellContext, number: Int) { (self.context, self.number) = (context, number) }

    /// Runs the attempt; returns its samples and findings, and all recorded events.
    func run() async throws -> AttemptOutcome {
        let start = MonotonicClock.now
        let (error, noise) = await Witness.observe { () -> (any Error)? in
            do {
                try await perform()
                return nil
            } catch {
                return error
            }
        }
        try Task.checkCancellation()
        let seen = trace.withLock { $0 }
        let setup = context.setup(attempt: number)
        var judged = AttemptJudge(seen, setup)
        judged.noise = noise
        judged.noise?.clientWait = seen.exit?.longestWait
        // A late change of the link means that a thread of Headwind woke up late.
        judged.noise?.largestLateness = [noise.largestLateness, seen.linkLateness].compactMap { $0 }.max()
        if let error { judged.troubles.append(Finding(trouble: error, isInSandbox: context.backend.isInSandbox)) }
        let schedule = FaultLog(seen).schedule(setup)
        judged.schedule = schedule
        return AttemptOutcome(
            record: judged.record(from: start, to: MonotonicClock.now),
            timeline: seen.timeline(cell: context.cell.id, attempt: number),
            congestionControl: seen.host.congestionControl, schedule: schedule)
    }

    private func perform() async throws {
        try ScratchRoom(context).check()
        guard context.backend.isInSandbox else { return try await perform(on: .loopback) }
        try await context.dependencies.links.withSandbox(context.sandboxConfiguration) { sandbox in
            guard !context.cell.content.isOurs else { return try await perform(on: .sandbox(sandbox)) }
            var forwards: [UInt16] = []
            if case .network(let ports) = context.cell.content { forwards = ports }
            let program = context.dependencies.outsideProgram()
            try await sandbox.withMachinesNetworks(by: program, forwarding: forwards) {
                try await perform(on: .sandbox(sandbox))
            }
        }
    }

    private func perform(on network: AttemptNetwork) async throws {
        if context.cell.content.isOurs { try await withHost(on: network) } else { try await withLink(on: network) }
    }

    private func withHost(on network: AttemptNetwork) async throws {
        guard let content = context.content else { preconditionFailure("a host of our own has packs") }
        var configuration = HostConfiguration(site: content.site)
        let listed = try context.cell.scheduledHostFaults(content)
        trace.withLock { $0.listedHostFaults = listed }
        configuration.faults = context.cell.hostFaults + listed
        configuration.otherPorts = [hostPort: otherPort, otherPort: hostPort]
        (configuration.listener, configuration.moreListeners) = try await network.listeners(
            ports: hostPorts(configuration.faults), context.cell.addresses)
        configuration.soldTags = Set(context.cell.bought)
        configuration.otherNames[PreparedContent.hostName] = PreparedContent.otherHostName
        configuration.otherNames[PreparedContent.otherHostName] = PreparedContent.hostName
        let authority = context.cell.tls || namesAuthority ? RunAuthority() : nil
        if context.cell.tls, let authority {
            let own = [PreparedContent.hostName, PreparedContent.otherHostName, "localhost", "127.0.0.1"]
            let names = own + content.authorities.map(\.host)
            let keep: @Sendable ([UInt8]) -> Void = { self.keep(secret: $0) }
            let factory = try authority.handlerFactory(
                names: names, fault: context.cell.tlsFault, offersHTTP2: context.cell.http2,
                keyLog: context.keepsSecrets ? keep : nil)
            configuration.security = .init(offersHTTP2: context.cell.http2, makeHandlers: factory)
        }
        let events = HostEventTask(signs)
        try await ending {
            try await context.dependencies.withHost(configuration) { host in
                events.start(host.events)
                // In a sandbox, no other program can listen.
                if case .loopback = network { try await checkIdentity(of: host, nonce: configuration.nonce) }
                events.ignoreConnections(upTo: host.statistics.connections)
                let way = HostWay(
                    host: host, authorityPEM: authority?.certificatePEM, events: events,
                    hasOtherPort: hostPorts(configuration.faults).contains(otherPort))
                try await withLink(to: way, on: network)
            }
        } with: {
            let log = await events.finish()
            trace.withLock { $0.host = log }
        }
    }

    private func keep(secret line: [UInt8]) {
        secrets.withLock { if $0.count < Self.mostSecretBytes { $0 += line + [UInt8(ascii: "\n")] } }
    }

    /// Whether the client is a command that may read the authority's file, even without TLS.
    private var namesAuthority: Bool {
        context.cell.workload.command?.placeholders.contains(.ca) ?? false
    }

    /// Throws if another server answers on the host's port.
    ///
    /// With TLS, another server would show another authority, so there is no check.
    private func checkIdentity(of host: PackHost, nonce: String) async throws {
        guard !context.cell.tls else { return }
        // It requests no listed path, so that no scripted fault counts it as a client's first try.
        try await ServerIdentity.check((host.address, host.port), expected: nonce)
    }

    private func withLink(to way: HostWay? = nil, on network: AttemptNetwork) async throws {
        let folder = try AttemptFolder(
            context.scratch.appending("attempt-\(number)"), on: network.storage,
            app: context.cell.workload.isBuiltIn ? context.content : nil, authorityPEM: way?.authorityPEM)
        defer { folder.remove() }
        var events: Task<LinkLog, Never>?
        try await ending {
            let setup = context.cell.linkSetup(seed: context.seed(attempt: number))
            let place = place(leadingTo: way, on: network)
            try await context.dependencies.links.withLink(context.backend, setup, place) { link, entrance in
                if entrance.targets.count > 1 {
                    way?.host.lead(from: entrance.targets[0].port, to: entrance.targets[1].port)
                }
                trace.withLock { $0.linkStart = MonotonicClock.now }
                let kills = ClientKills()
                let filler = DeviceFiller(network.storage)
                defer { filler.close() }
                let driver = LinkFaultDriver(
                    context.cell.linkFaults, link: link,
                    packs: { [content = context.content] in content?.packBytes(named: $0) ?? [] },
                    kill: { kills.kill() }, fill: { filler.fill() })
                events = LinkLog.reading(link.events, driver: driver) { [signs] in signs.note($0) }
                way?.events.tell(driver)
                try await runClient(
                    on: network, entrance: entrance, folder: folder, driver: driver, kills: kills)
                try filler.verify()
                // Throws if the link has ended by now.
                try await link.verify()
                try await link.close()
                let crossed = try await link.use()
                trace.withLock { trace in
                    trace.crossed = crossed
                    (trace.unplayedFaults, trace.playedFaults) = (driver.unplayed, driver.played)
                    trace.linkLateness = driver.lateness
                }
            }
        } with: {
            let log = await events?.value ?? LinkLog()
            trace.withLock { $0.take(log) }
        }
        if context.keepsSecrets, case .sandbox = network, let capture = context.capture(attempt: number) {
            try KeyLog(folder.keyLog).move(into: capture, and: secrets.withLock { $0 })
        }
    }

    private func runClient(
        on network: AttemptNetwork, entrance: LinkEntrance, folder: AttemptFolder, driver: LinkFaultDriver,
        kills: ClientKills
    ) async throws {
        let client = try ClientCommand(
            context, in: folder, scratch: network.scratch(ofRun: context.runScratch),
            addresses: addresses(entrance, folder: folder))
        let kept = KeptFiles(context: context, folder: folder)
        try kept.put()
        let command = try client.command()
        let oracle = try Oracle(of: context.cell, in: folder, directory: command.directory, programs: context.programs)
        let session = ClientSession(
            cell: context.cell, command: command, programs: context.programs, starter: network.starter, signs: signs,
            progress: try ProgressPattern(context.cell.workload), kept: oracle?.output)
        // Faults at the start apply to every client, however fast it begins.
        await driver.playFirst(at: MonotonicClock.now)
        let start = MonotonicClock.now
        trace.withLock { $0.clientStart = start }
        let faults = Task { await driver.playTimed(from: start) }
        signs.note()
        let idle = Task { [signs, onIdle = context.onIdle, limit = context.dependencies.idleTime] in
            try await signs.silence(of: limit)
            onIdle()
        }
        defer {
            faults.cancel()
            idle.cancel()
            driver.end()
        }
        let memoryKills = MachineReading().memoryKills
        let exit: GuardedExit
        let room: Int64?
        do {
            (exit, room) = try await ScratchRoom(context).watch {
                try await session.run(into: trace, kills: kills, savedBytes: { folder.savedBytes() }) {
                    driver.reported($0)
                }
            }
        } catch {
            // The exact end is unknown; it is now at the latest.
            trace.withLock { trace in
                trace.clientEnd = MonotonicClock.now
                trace.clientGone = trace.clientEnd
            }
            throw error
        }
        // No fault begins after the client has ended.
        driver.end()
        trace.withLock { trace in
            trace.leastRoom = room
            trace.memoryKills = MachineReading().memoryKills.flatMap { now in memoryKills.map { max(0, now - $0) } }
        }
        let judgement = try await oracle?.judge(exit)
        trace.withLock { $0.oracle = judgement }
        // A client that reported an error has not said that the pack is there, whatever its exit status.
        let outcomes = RequestReading(trace.withLock { $0 }, context.setup(attempt: number)).outcomes
        let hasSucceeded = exit.status == .exited(0) && outcomes.allSatisfy { $0.result == .available }
        let checks = FileChecks(context: context, folder: folder, hasSucceeded: hasSucceeded)
        let (files, sizes) = (checks.check(), checks.sizes())
        let stored = StoreCheck(context: context, folder: folder).stored()
        let (before, copies) = (kept.before(), kept.copies())
        trace.withLock { trace in
            (trace.before, trace.copies) = (before, copies)
            trace.files = files
            trace.stored = stored
            trace.fileSizes = sizes
        }
    }
}

/// The outcome of an attempt.
struct AttemptOutcome: Sendable {
    /// Its samples and findings.
    var record: AttemptRecord
    /// All recorded events.
    var timeline: [TimelineEvent]
    /// The congestion control of the host's connections; nil if it could not be read.
    var congestionControl: String?
    /// All faults of the attempt, scripted or random; nil if they were not kept.
    var schedule: FaultSchedule?
}
