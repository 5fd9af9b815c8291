import Dispatch
import InterfaceShaping
import KernelLink
import LinkModel
import LinuxSupport
import ProxyAPI
import ProxyLink

/// The page of `headwind link page`: one link for each rule of an interface, and one for all other traffic.
struct GatewayPage: LinkPage {
    let gateway: Gateway

    var links: [DrivenLink] { get async throws { try await gateway.links() } }

    func choose(_ choice: DrivenLink.Choice, of link: DrivenLink) async throws {
        do { try await gateway.choose(choice, of: link.name) } catch {
            guard let failure = CommandFailure(telling: error) else { throw error }
            for problem in failure.problems { Console.note("\(problem)") }
            throw LinkPageRefusal(failure.description)
        }
    }

    func instructions(at host: Endpoint, local: Endpoint?) -> String {
        let interface = gateway.interface.escapedHTML
        return """
            <h2>What it does</h2>
            <p>A button shapes the traffic of its device on the interface <code>\(interface)</code>: TCP, UDP and QUIC of all apps. This \
            page itself is not shaped, so that you can always change a link back.</p>
            <p>The links end when <code>headwind link page</code> ends on the gateway, at the latest \(gateway.lastMoment.escapedHTML).</p>
            """
    }
}

/// An interface that a page shapes, with one rule for each device.
///
/// The kernel holds the state. Each change is a new `headwind link apply`, which does not disturb unchanged rules.
actor Gateway {
    nonisolated let interface: String
    /// When the links end at the latest, as it follows "at the latest".
    nonisolated let lastMoment: String
    /// The options that the command started with.
    private let started: LinkOptions
    /// The options in force now.
    private var options: LinkOptions
    /// When the time limit of its links expires; nil: never.
    nonisolated let deadline: ContinuousClock.Instant?
    private var isOver = false
    /// The watchdog processes of the shape so far; each ends when the next one takes over.
    private var watchdogs: [WatchdogStart]
    /// The names of the profiles that the options name by path.
    private let names: [String: String]

    /// The links as last read, for requests at the same time.
    private var recent: (links: [DrivenLink], at: ContinuousClock.Instant)?
    private let executor = WaitingExecutor()

    private static let rest = "rest"
    private static let unshaped = "not shaped"
    private static let recentTime = Duration.milliseconds(250)

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Shapes the interface while `body` runs; throws the failure of `headwind link apply`, and what `body` throws.
    ///
    /// `options` has its rules in `rule`, and the page's port in `except`.
    static func with(_ options: LinkOptions, _ body: (Gateway) async throws -> Void) async throws {
        let gateway = try Gateway(options)
        try await ending({ try await body(gateway) }, with: { await gateway.finish() })
    }

    private init(_ options: LinkOptions) throws {
        let order = try LinkOrder(options)
        let given = try options.rule.map { try Self.parts($0).profile } + [options.profile].compactMap(\.self)
        names = Dictionary(
            try given.map { ($0, try ProfileCommand.named($0).name) }, uniquingKeysWith: { first, _ in first })
        (interface, started, self.options) = (options.interface, options, options)
        deadline = order.time.map { ContinuousClock.now + $0 }
        lastMoment = order.time.map { "\($0.text) after its start" } ?? "at 'headwind link clear'"
        watchdogs = [try Self.apply(options, deadline)]
    }

    /// The selector and the profile of a rule.
    private static func parts(_ rule: String) throws -> (match: String, profile: String) {
        let (selector, profile) = try LinkRule.parts(of: rule)
        return ("\(selector)", profile)
    }

    /// The links, read at most a quarter of a second ago.
    func links() throws -> [DrivenLink] {
        if let recent, recent.at.duration(to: .now) < Self.recentTime { return recent.links }
        let links = try readLinks()
        recent = (links, .now)
        return links
    }

    private func readLinks() throws -> [DrivenLink] {
        let links = try InterfaceLinks()
        let state = try links.find(named: interface).first.map { try links.state(of: $0) }
        var found: [DrivenLink] = []
        for (index, rule) in options.rule.enumerated() {
            let (match, profile) = try Self.parts(rule)
            let traffic = state.map { $0.rules.first { $0.note.selector == match }?.state ?? TrafficState() }
            let first = try Self.parts(started.rule[index]).profile
            found.append(link("\(index)", match, profile, started: first, traffic))
        }
        found.append(
            link(
                Self.rest, "All other traffic", options.profile ?? Self.unshaped,
                started: started.profile ?? Self.unshaped, state?.others))
        return found
    }

    private func link(
        _ name: String, _ title: String, _ profile: String, started: String, _ traffic: TrafficState?
    ) -> DrivenLink {
        // Without a shape its time has expired, or someone has removed it.
        let shown = traffic == nil ? Self.unshaped : names[profile] ?? profile
        func bytes(_ direction: Direction) -> Int64 { Int64(clamping: traffic?.counters[direction]?.sentBytes ?? 0) }
        let started = names[started] ?? started
        return DrivenLink(
            name: name, title: title, profile: shown, bytes: (bytes(.downlink), bytes(.uplink)),
            choices: DrivenLink.Choice.all(offline: "offline-silent", started: started))
    }

    /// Changes the profile of a link; the link is unchanged if the kernel or this machine refuses.
    func choose(_ choice: DrivenLink.Choice, of link: String) throws {
        guard !isOver else {
            throw CommandFailure(.infrastructure, "This page is closing, and its links are no longer shaped.")
        }
        var changed = options
        let named = choice.name == DrivenLink.Choice.back ? nil : choice.profile
        if link == Self.rest {
            changed.profile = named ?? started.profile
        } else if let index = Int(link), options.rule.indices.contains(index) {
            let (match, _) = try Self.parts(options.rule[index])
            changed.rule[index] = named.map { "\(match) \($0)" } ?? started.rule[index]
        }
        let watchdog = try Self.apply(changed, deadline)
        (options, recent) = (changed, nil)
        watchdogs.removeAll { $0.reap() }
        watchdogs.append(watchdog)
    }

    /// Removes the shape, unless another process has replaced it; reports an error.
    private func finish() {
        isOver = true
        do {
            let links = try InterfaceLinks()
            for found in try links.find(named: interface) {
                guard found.mark?.keeper.process == watchdogs.last?.process else { continue }
                try LinkClearCommand.clear(found, links)
            }
        } catch {
            Console.note("\(interface) is still shaped: \(error) Try 'headwind link clear \(interface)'.")
        }
    }

    private static func apply(_ options: LinkOptions, _ deadline: ContinuousClock.Instant?) throws -> WatchdogStart {
        var options = options
        if let deadline {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left >= .seconds(1) else {
                throw CommandFailure(
                    .infrastructure,
                    "The time limit of these links is over. Start 'headwind link page' again with a longer --for.")
            }
            options.time = "\(left.components.seconds)s"
        }
        let order = try LinkOrder(options)
        let start = try WatchdogStart(["headwind", "link", "watch"] + options.words, keepsErrors: true)
        defer { start.close() }
        var status = ExitStatus.infrastructure
        switch try start.wait() {
        case .ready: if start.confirm() == nil { return start }
        case .killed: throw CommandFailure(WatchdogStart.cleanUp(order))
        case .failed(let code): status = ExitStatus(rawValue: code) ?? status
        }
        // The watchdog's own lines begin with the program's name.
        let said = start.errorText().split(separator: "\n").map { line in
            String(line.trimmingPrefix("headwind: "))
        }
        throw CommandFailure(
            status, lines: said.isEmpty ? ["Could not shape \(options.interface): its process was killed."] : said)
    }
}

/// Runs the jobs of an actor whose work waits for processes or the kernel, one after the other.
///
/// It does not use Swift's few cooperative threads.
final class WaitingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "headwind.gateway")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
