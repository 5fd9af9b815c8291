import HostTLS
import LinkModel
import LinkProbe
import PackFormat
import PackHost
import ProcessGuard
import ProxyLink
import Results
import Scenarios
import Synchronization
import SystemPackage
import Witness

/// Runs one attempt of a cell: a fresh host, link, device and client, each in a scope of its own.
struct AttemptRunner: Sendable {
    let context: CellContext
    let number: Int

    /// The attempt with its samples and findings, and everything that was seen.
    func run() async throws -> (record: AttemptRecord, timeline: [TimelineEvent]) {
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
        var judged = AttemptJudge(context: context, number: number, trace: seen)
        judged.startedAt = start
        judged.noise = noise
        if let error { judged.troubles.append(Finding(trouble: error)) }
        return (judged.record(), seen.timeline(cell: context.cell.id, attempt: number))
    }

    private func perform(into trace: borrowing Mutex<AttemptTrace>) async throws {
        try ScratchRoom(context).check(for: context)
        switch context.cell.content {
        case .host(let remote):
            try await withLink(to: nil, remote: remote, into: trace)
        case .catalog, .packs:
            try await withHost(into: trace)
        }
    }

    private func withHost(into trace: borrowing Mutex<AttemptTrace>) async throws {
        guard let content = context.content else { preconditionFailure("a host of our own has packs") }
        var configuration = HostConfiguration(site: content.site)
        configuration.faults = context.cell.hostFaults
        var authority: RunAuthority?
        if context.cell.tls {
            let made = RunAuthority()
            let names = [PreparedContent.hostName, "localhost", "127.0.0.1"] + content.authorities.map(\.host)
            configuration.security = .init(makeHandlers: try made.handlerFactory(names: names))
            authority = made
        }
        let events = HostEventTask()
        let log: HostLog
        do {
            try await context.rig.withHost(configuration) { host in
                events.start(host.events)
                try await checkIdentity(of: host, nonce: configuration.nonce)
                events.ignoreConnections(upTo: host.statistics.connections)
                let way = HostWay(host: host, authorityPEM: authority?.certificatePEM, events: events)
                try await withLink(to: way, remote: nil, into: trace)
            }
            log = await events.finish()
        } catch {
            let log = await events.finish()
            trace.withLock { $0.host = log }
            throw error
        }
        trace.withLock { $0.host = log }
    }

    /// A host of our own, and how it is recognised.
    struct HostWay {
        let host: PackHost
        let authorityPEM: String?
        let events: HostEventTask
    }

    /// Notices another server that answers on the host's port; one that speaks TLS shows another authority instead.
    private func checkIdentity(of host: PackHost, nonce: String) async throws {
        guard !context.cell.tls else { return }
        // Asks for nothing that is listed, so that no scripted fault takes this for a client's first try.
        try await ServerIdentity.check((host.address, host.port), expected: nonce)
    }

    private func withLink(
        to way: HostWay?, remote: RemoteHost?, into trace: borrowing Mutex<AttemptTrace>
    ) async throws {
        let folder = try AttemptFolder(
            context.scratch.appending("attempt-\(number)"), content: context.content, authorityPEM: way?.authorityPEM)
        defer { folder.remove() }
        let events = LinkEventTask()
        var log = LinkLog()
        do {
            try await withLink(to: way) { link, doors in
                trace.withLock { $0.linkStart = MonotonicClock.now }
                let driver = LinkFaultDriver(
                    context.cell.linkFaults, link: link, content: context.content)
                events.start(link.events, driver: driver)
                way?.events.tell(driver)
                try await runClient(doors: doors, folder: folder, remote: remote, driver: driver, into: trace)
                // Throws where the link has not lived so long.
                try await link.check()
                let crossed = try await link.close()
                trace.withLock { trace in
                    trace.crossed = crossed
                    trace.unplayedFaults = driver.unplayed.count
                }
            }
            log = await events.finish()
        } catch {
            log = await events.finish()
            trace.withLock { $0.link = log }
            throw error
        }
        trace.withLock { $0.link = log }
    }

    /// Where a client finds host and link.
    struct Doors {
        /// The URL of the link's proxy.
        var proxy: String
        /// What stands for the host in a URL: a name or an address, with a port where it needs one.
        var host: String
    }

    /// Runs a link, and tells where clients enter it.
    private func withLink(
        to way: HostWay?, _ body: (AttemptLink, Doors) async throws -> Void
    ) async throws {
        try await context.rig.withLink(linkConfiguration(to: way)) { link in
            let doors = Doors(
                proxy: "http://\(link.forwardAddress.map(\.description) ?? "")",
                host: link.reverseAddresses.first.map(\.description) ?? "")
            try await body(AttemptLink(link), doors)
        }
    }

    private func linkConfiguration(to way: HostWay?) -> ProxyLinkConfiguration {
        let profile = context.cell.link.profile
        let seed = context.seed(attempt: number)
        guard let host = way?.host else {
            return ProxyLinkConfiguration(profile: profile, seed: seed, routes: RouteTable(policy: .direct))
        }
        let target = Endpoint(host: host.address, port: host.port)
        let port = context.cell.tls ? 443 : 80
        var routes = [Endpoint(host: PreparedContent.hostName, port: port): target]
        for authority in context.content?.authorities ?? [] {
            routes[Endpoint(host: authority.host, port: authority.port)] = target
        }
        return ProxyLinkConfiguration(
            profile: profile, seed: seed, reverse: [.init(target: target)], routes: RouteTable(routes: routes))
    }

    private func runClient(
        doors: Doors, folder: AttemptFolder, remote: RemoteHost?, driver: LinkFaultDriver,
        into trace: borrowing Mutex<AttemptTrace>
    ) async throws {
        let addresses = addresses(doors: doors, folder: folder, remote: remote)
        let client = try ClientCommand(
            cell: context.cell, folder: folder, programs: context.programs, scratch: context.runScratch,
            addresses: addresses)
        let session = try ClientSession(cell: context.cell, command: client.command(), programs: context.programs)
        trace.withLock { $0.clientStart = MonotonicClock.now }
        let faults = Task { await driver.playTimed() }
        defer { faults.cancel() }
        let outcome: ClientSession.Outcome
        let room: Int64?
        do {
            (outcome, room) = try await ScratchRoom(context).watch { try await session.run() }
        } catch {
            // It is not known when it ended, but at the latest now.
            trace.withLock { trace in
                trace.clientEnd = MonotonicClock.now
                trace.clientGone = trace.clientEnd
            }
            throw error
        }
        let checks = FileChecks(context: context, folder: folder)
        let (files, sizes) = (checks.check(), checks.sizes())
        trace.withLock { trace in
            trace.clientEnd = outcome.endedAt
            trace.clientGone = outcome.goneAt
            trace.leastRoom = room
            trace.client = outcome.told.log
            trace.exit = outcome.exit
            trace.foreignProgress = outcome.told.progress
            trace.unreadProgress = outcome.told.unreadProgress
            trace.patternTrouble = outcome.told.patternTrouble
            trace.complaints = outcome.told.complaints
            trace.files = files
            trace.fileSizes = sizes
        }
    }

    private func addresses(
        doors: Doors, folder: AttemptFolder, remote: RemoteHost?
    ) -> ClientCommand.Addresses {
        if let remote {
            return .init(
                proxy: doors.proxy, pack: nil, manifest: remote.manifest, tagTable: remote.tagTable, hasAuthority: false
            )
        }
        let scheme = context.content?.scheme ?? "http"
        let door = "\(scheme)://\(doors.host)"
        var isBuiltIn = true
        var path: String?
        if case .command(let command) = context.cell.workload {
            isBuiltIn = false
            path = command.pack.flatMap { context.content?.pack(named: $0)?.path }
        }
        let manifestPath = context.content?.site.manifestPath ?? "/"
        return .init(
            proxy: doors.proxy, pack: path.map { door + $0 },
            manifest: isBuiltIn ? folder.manifest.string : door + manifestPath,
            tagTable: isBuiltIn ? folder.tagTable.string : nil, hasAuthority: context.cell.tls)
    }
}

extension Finding {
    /// The place of an attempt's trouble in the table of attributions.
    fileprivate init(trouble error: any Error) {
        if let probe = error as? ProbeError, case .otherServer = probe.outcome {
            self.init(.staleServer, "\(error)")
        } else if let link = error as? ProxyLinkError {
            self.init(.linkDied, "\(link)")
        } else if let host = error as? HostError {
            self.init(.hostDied, "\(host)")
        } else if let harness = error as? HarnessError {
            self.init(harness.attribution, "\(harness)")
        } else {
            self.init(.harnessFailed, "\(error)")
        }
    }
}
