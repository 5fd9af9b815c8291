import Glibc
package import KernelLink
import SystemPackage

/// A request to shape an interface, checked as far as possible without reading the interface.
package struct LinkOrder {
    /// The interface's name, which is valid.
    package let interface: String
    package let shape: InterfaceShape
    /// How long the shape stays; nil: until a command removes it.
    package let time: Duration?
    /// Whether it replaces a root queue that another program has set.
    package let replaces: Bool

    package init(interface: String, shape: InterfaceShape, time: Duration?, replaces: Bool) {
        (self.interface, self.shape, self.time, self.replaces) = (interface, shape, time, replaces)
    }
}

/// Shapes an interface, plays its profile, and removes the shape when its time is over or a signal comes.
package struct LinkWatchdog {
    /// The last line of the message that the interface is shaped.
    static let end = "."
    /// The line that says that the shape stays.
    static let kept = "kept"
    /// Its name in `ps`.
    static let name = "headwind-link"

    private let order: LinkOrder
    private let isEnded: (Duration) -> Bool

    /// Makes a watchdog of `order`; `isEnded` waits for a duration at most, and returns whether a signal has come.
    package init(_ order: LinkOrder, isEnded: @escaping (Duration) -> Bool) {
        (self.order, self.isEnded) = (order, isEnded)
    }

    /// Shapes the interface, and holds the shape until its time is over; throws ``InterfaceLinkError``.
    ///
    /// `text` returns lines for the user about what was done; `isUp` is whether the interface is up. `write` writes
    /// lines to standard output, and returns whether the ``WatchdogStart`` that has started this process reads them.
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
        // A predecessor that gets no signal checks from time to time, and finds that the shape is another's.
        _ = applied.predecessor?.end(patience: .seconds(5))
        // This clock goes on while the machine sleeps.
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

    /// Whether `apply` confirms, within 30 s, that it has informed the user.
    ///
    /// A successor may end this watchdog just then. The shape was there, so the confirmation of `apply` is still
    /// awaited for 1 s.
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
            // A state that cannot be read now is read again; only a shape that is no longer its own is let go of.
            if isHeld == false { return }
            let pause = min(Self.glance, order.time.map { $0 - now } ?? Self.glance)
            if isHeld == nil, isEnded(pause) { break }
        }
        try Self.takeOff(applied, links)
    }

    /// Plays what is due; returns false if there is nothing left to hold.
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
        // Another program may have changed its queues; the shape is removed in time all the same.
        try? links.play(now, on: &applied)
        return true
    }

    private static func takeOff(_ applied: InterfaceLinks.Applied, _ links: InterfaceLinks) throws {
        for attempt in 1...attempts {
            do {
                // The shape is removed even if another process holds the lock for too long.
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

    /// Lets go of the terminal and of the current folder, so that neither is busy.
    private static func leaveTerminal() {
        let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { dup2(null, stream) }
        if null > STDERR_FILENO { close(null) }
        unsafe chdir("/")
    }

    /// How often it checks whether the shape is still its own.
    private static let glance = Duration.seconds(5)
    private static let attempts = 5
    /// How long it waits for the confirmation of `apply`, in milliseconds.
    private static let patience: Int32 = 30_000
    private static let patienceOnceEnded: Int32 = 1_000
}
