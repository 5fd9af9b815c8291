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
struct AttemptRunner: Sendable {
    let context: CellContext
    let number: Int
    /// The secrets of the host's TLS connections, if they are kept.
    private let secrets = SecretLines()
    private let signs = SignsOfLife()

    /// Runs the attempt; returns its samples and findings, and all recorded events.
    func run() async throws -> AttemptOutcome {
        let start = MonotonicClock.now
        let trace = Mutex(AttemptTrace())
        let (error, noise) = await Witness.observe { () -> (any Error)? in
            do {
                try await perform(into: trace)
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

    private func perform(into trace: borrowing Mutex<AttemptTrace>) async throws {
        try ScratchRoom(context).check(for: context)
        guard context.backend.isInSandbox else { return try await perform(on: .loopback, into: trace) }
        try await context.dependencies.links.withSandbox(context.sandboxConfiguration) { sandbox in
            guard !context.cell.content.isOurs else { return try await perform(on: .sandbox(sandbox), into: trace) }
            var forwards: [UInt16] = []
            if case .network(let ports) = context.cell.content { forwards = ports }
            let program = context.dependencies.outsideProgram()
            try await sandbox.withMachinesNetworks(by: program, forwarding: forwards) {
                try await perform(on: .sandbox(sandbox), into: trace)
            }
        }
    }

    private func perform(on network: AttemptNetwork, into trace: borrowing Mutex<AttemptTrace>) async throws {
        switch context.cell.content {
        case .host(let remote):
            try await withLink(to: nil, on: network, remote: remote, into: trace)
        case .network:
            try await withLink(to: nil, on: network, remote: nil, into: trace)
        case .catalog, .packs:
            try await withHost(on: network, into: trace)
        }
    }

    private func withHost(on network: AttemptNetwork, into trace: borrowing Mutex<AttemptTrace>) async throws {
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
            let secrets = secrets
            let add: @Sendable ([UInt8]) -> Void = { secrets.add($0) }
            let keyLog = context.capture?.keepsSecrets == true ? add : nil
            let factory = try authority.handlerFactory(
                names: names, fault: context.cell.tlsFault, offersHTTP2: context.cell.http2, keyLog: keyLog)
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
                try await withLink(to: way, on: network, remote: nil, into: trace)
            }
        } with: {
            let log = await events.finish()
            trace.withLock { $0.host = log }
        }
    }

    /// Whether the client is a command that may read the authority's file, even without TLS.
    private var namesAuthority: Bool {
        if case .command(let command) = context.cell.workload { command.placeholders.contains(.ca) } else { false }
    }

    /// A host of Headwind's own, and what identifies it.
    struct HostWay {
        let host: PackHost
        let authorityPEM: String?
        let events: HostEventTask
        /// Whether redirects may lead clients to another port of it.
        let hasOtherPort: Bool
    }

    /// Throws if another server answers on the host's port.
    ///
    /// With TLS, another server would show another authority, so there is no check.
    private func checkIdentity(of host: PackHost, nonce: String) async throws {
        guard !context.cell.tls else { return }
        // It requests no listed path, so that no scripted fault counts it as a client's first try.
        try await ServerIdentity.check((host.address, host.port), expected: nonce)
    }

    private func withLink(
        to way: HostWay?, on network: AttemptNetwork, remote: RemoteHost?, into trace: borrowing Mutex<AttemptTrace>
    ) async throws {
        let folder = try AttemptFolder(
            context.scratch.appending("attempt-\(number)"), on: network.storage,
            app: context.cell.workload.isBuiltIn ? context.content : nil, authorityPEM: way?.authorityPEM)
        defer { folder.remove() }
        let events = LinkEventTask(signs)
        try await ending {
            try await withLink(to: way, on: network) { link, endpoints in
                trace.withLock { $0.linkStart = MonotonicClock.now }
                let kills = ClientKills()
                let filler = DeviceFiller(network.storage)
                defer { filler.close() }
                let driver = LinkFaultDriver(
                    context.cell.linkFaults, link: link,
                    packs: { [content = context.content] in content?.packBytes(named: $0) ?? [] },
                    kill: { kills.kill() }, fill: { filler.fill() })
                events.start(link.events, driver: driver)
                way?.events.tell(driver)
                try await runClient(
                    on: network, endpoints: endpoints, folder: folder, remote: remote, driver: driver, kills: kills,
                    into: trace)
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
            let log = await events.finish()
            trace.withLock { $0.take(log) }
        }
        if let capture = context.capture, capture.keepsSecrets, case .sandbox = network {
            try KeyLog(folder.keyLog).move(into: capture.path(attempt: number), and: secrets.lines)
        }
    }

    private func runClient(
        on network: AttemptNetwork, endpoints: ClientEndpoints, folder: AttemptFolder, remote: RemoteHost?,
        driver: LinkFaultDriver, kills: ClientKills,
        into trace: borrowing Mutex<AttemptTrace>
    ) async throws {
        var addresses = addresses(endpoints: endpoints, folder: folder, remote: remote)
        addresses.appSize = context.content?.appSize ?? 0
        let client = try ClientCommand(
            cell: context.cell, folder: folder, programs: context.programs,
            scratch: network.scratch(ofRun: context.runScratch),
            addresses: addresses, keepsSecrets: context.capture?.keepsSecrets == true)
        let kept = KeptFiles(context: context, folder: folder)
        try kept.put()
        let command = try client.command()
        let oracle = try Oracle(of: context.cell, in: folder, directory: command.directory, programs: context.programs)
        let session = try ClientSession(
            cell: context.cell, command: command, programs: context.programs, starter: network.starter, signs: signs,
            kept: oracle?.output)
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
        let outcome: ClientSession.Outcome
        let room: Int64?
        do {
            (outcome, room) = try await ScratchRoom(context).watch {
                try await session.run(kills: kills, savedBytes: { folder.savedBytes() }) { driver.reported($0) }
            }
        } catch {
            // The exact end is unknown; it is now at the latest.
            trace.withLock { trace in
                trace.clientEnd = MonotonicClock.now
                trace.clientGone = trace.clientEnd
            }
            throw error
        }
        trace.withLock { trace in
            trace.clientEnd = outcome.endedAt
            trace.clientGone = outcome.goneAt
            trace.lastSign = min(signs.latest, outcome.endedAt)
            trace.leastRoom = room
            trace.client = outcome.log
            trace.exit = outcome.exit
            (trace.kills, trace.starts) = (outcome.kills, outcome.starts)
            trace.memoryKills = MachineReading().memoryKills.flatMap { now in memoryKills.map { max(0, now - $0) } }
        }
        let judgement = try await oracle?.judge(outcome.exit)
        trace.withLock { $0.oracle = judgement }
        // A client that reported an error has not said that the pack is there, whatever its exit status.
        let outcomes = RequestReading(trace.withLock { $0 }, context.setup(attempt: number)).outcomes
        let hasSucceeded = outcome.exit.status == .exited(0) && outcomes.allSatisfy { $0.result == .available }
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
