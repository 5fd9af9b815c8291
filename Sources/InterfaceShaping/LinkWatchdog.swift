import Glibc
package import KernelLink
import SystemPackage

/// Shapes an interface, plays its profile, and takes the shape off when its time is over or a signal comes.
package struct LinkWatchdog {
    /// What ends the message that all is done.
    static let end = "."
    /// What says that the shape stays.
    static let kept = "kept"
    /// What `ps` calls it.
    static let name = "headwind-link"

    private let order: LinkOrder
    private let isEnded: (Duration) -> Bool

    /// A watchdog of `order`; `isEnded` waits for so long at most, and answers whether a signal has come.
    package init(_ order: LinkOrder, isEnded: @escaping (Duration) -> Bool) {
        (self.order, self.isEnded) = (order, isEnded)
    }

    /// Holds the shape until its time is over; throws ``InterfaceLinkError``.
    ///
    /// `text` says what was done, for a user, and whether the interface is up; `write` writes lines on standard output, and
    /// answers whether somebody reads them: the ``WatchdogStart`` that has started this process.
    package func run(
        text: (InterfaceLinks.Applied, _ isUp: Bool) -> [String], write: ([String]) -> Bool
    ) throws {
        Self.takeName()
        let links = try InterfaceLinks()
        let target = try links.interface(named: order.interface)
        try checkSafety(target, links)
        let applied = try LinkLock.hold(target.interface.index) {
            try links.apply(order.shape, on: target, mark: mark, replaces: order.replaces)
        }
        // It finds that the shape is another's; where it cannot be told, it looks from time to time.
        _ = applied.predecessor?.end(patience: .seconds(5))
        // In time that goes on while the machine sleeps.
        let start = ContinuousClock.now
        guard write(text(applied, target.isUp) + [Self.end]), isWanted() else {
            try Self.takeOff(applied, links)
            return
        }
        _ = write([Self.kept])
        Self.leaveTerminal()
        try stay(applied, links, since: start)
    }

    private var mark: LinkMark {
        let now = Int64(time(nil))
        var mark = LinkMark(
            interface: 0, keeper: .own, since: now, until: order.time.map { now + $0.nanoseconds / 1_000_000_000 },
            profile: order.shape.profile?.name, exceptions: order.shape.exceptions.map(\.description))
        (mark.rules, mark.leadsToDevices) = (order.shape.rules.count, order.shape.leadsToDevices)
        return mark
    }

    private func checkSafety(_ target: InterfaceLinks.Target, _ links: InterfaceLinks) throws {
        guard !target.isLoopback else {
            throw InterfaceLinkError(
                .request,
                "Could not shape interface \(target.interface): it is the loopback interface, "
                    + "and each packet would be shaped twice. Put one program behind a link instead: "
                    + "headwind exec --profile \(order.shape.profile?.name ?? "NAME") --forward PORT -- CMD.")
        }
        for session in SecureShell.connections() {
            let passage = try links.passage(of: session, by: target)
            if case .tagged(let vlan)? = passage {
                throw InterfaceLinkError(
                    .request,
                    "Could not shape interface \(target.interface): it carries your SSH session \(session) of the VLAN \(vlan), whose tagged "
                        + "packets no exception matches. Shape \(vlan) itself, or another interface.")
            }
            guard passage != nil, session.isShaped(by: order.shape) else { continue }
            throw InterfaceLinkError(
                .request,
                "Could not shape interface \(target.interface): it carries your SSH session \(session). Exclude it with "
                    + "--except \(session.localPort), or --except \(session.peer).")
        }
    }

    /// Whether `apply` has told the user, which takes it no time.
    ///
    /// A successor may end this watchdog just then: the shape was there, so `apply` is still to hear that it is told.
    private func isWanted() -> Bool {
        var byte: UInt8 = 0
        var event = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        var answer = unsafe poll(&event, 1, Self.patience)
        while answer < 0, errno == EINTR { answer = unsafe poll(&event, 1, Self.patienceOnceEnded) }
        return unsafe answer > 0 && read(STDIN_FILENO, &byte, 1) == 1
    }

    private func stay(
        _ applied: InterfaceLinks.Applied, _ links: InterfaceLinks, since start: ContinuousClock.Instant
    ) throws {
        var applied = applied
        var played = Duration.zero
        while true {
            let elapsed = start.duration(to: .now)
            let next = [order.time, applied.nextChange(after: played), elapsed + Self.glance].compactMap(\.self).min()
            let left = (next ?? elapsed) - elapsed
            if isEnded(max(.zero, left)) { break }
            let now = start.duration(to: .now)
            if let time = order.time, now >= time { break }
            let isHeld = try? LinkLock.hold(applied.mark.interface, insists: true) {
                try look(&applied, links, &played, at: now)
            }
            // What cannot be known now is looked at again; only what is not its own any more is let go of.
            if isHeld == false { return }
            let pause = min(Self.glance, order.time.map { $0 - now } ?? Self.glance)
            if isHeld == nil, isEnded(pause) { break }
        }
        try Self.takeOff(applied, links)
    }

    /// Plays what is due; answers false where there is nothing left to hold.
    private func look(
        _ applied: inout InterfaceLinks.Applied, _ links: InterfaceLinks, _ played: inout Duration, at now: Duration
    ) throws -> Bool {
        switch try links.standing(of: applied) {
        case .own: break
        case .others: return false
        case .broken:
            try links.remove(applied)
            return false
        }
        // Packets larger than the queues were made for would be dropped.
        try? links.follow(order.shape, now, on: &applied)
        guard let change = applied.nextChange(after: played), change <= now else { return true }
        played = now
        // Somebody may have changed its queues; it is taken off in time all the same.
        try? links.play(now, on: &applied)
        return true
    }

    private static func takeOff(_ applied: InterfaceLinks.Applied, _ links: InterfaceLinks) throws {
        for attempt in 1...attempts {
            do {
                // That somebody holds the lock for too long is no reason to leave the interface as it is.
                return try LinkLock.hold(applied.mark.interface, insists: true) { try links.remove(applied) }
            } catch {
                guard attempt < attempts else { throw error }
                sleep(1)
            }
        }
    }

    private static func takeName() {
        let file = try? unsafe FileDescriptor.open("/proc/self/comm", .writeOnly, options: .closeOnExec)
        _ = try? file?.closeAfter { _ = try file?.writeAll(name.utf8) }
    }

    /// Neither a terminal nor a folder is kept busy.
    private static func leaveTerminal() {
        let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { dup2(null, stream) }
        if null > STDERR_FILENO { close(null) }
        unsafe chdir("/")
    }

    /// How often it looks whether the shape is still its own.
    private static let glance = Duration.seconds(5)
    private static let attempts = 5
    /// In milliseconds.
    private static let patience: Int32 = 30_000
    private static let patienceOnceEnded: Int32 = 1_000
}
