package import LinkModel

/// What the client of a cell does.
package enum Workload: Hashable, Sendable {
    /// The built-in client takes these steps, one after the other.
    case requests([Step])
    /// Runs a program of the user's.
    case command(Command)

    /// Whether the built-in client, or a program with its command line, runs it.
    package var isBuiltIn: Bool { if case .requests = self { true } else { false } }

    /// The program of the user's; nil for the built-in client.
    package var command: Command? { if case .command(let command) = self { command } else { nil } }

    /// Whether its command gets an IP address in place of the host's name when the link is the proxy.
    package var getsAddressBehindProxy: Bool {
        let placeholders = command?.placeholders ?? []
        return !placeholders.isDisjoint(with: [.url, .manifest]) && !placeholders.contains(.proxy)
    }

    /// One step of the built-in client.
    package enum Step: Hashable, Sendable {
        /// Begins a request, and waits for its callback unless it is in the background.
        case request(Request)
        /// Begins a request that was conditional before, and waits for its callback.
        case begin(String)
        /// Ends a request, after which its packs may be purged.
        case end(String)
        /// Cancels a request that is in the background once its progress is this share, 0 to 1.
        case cancel(String, after: Double)
        /// Pauses a request that is in the background once its progress is this share, 0 to 1.
        case pause(String, after: Double)
        /// Resumes a paused request.
        case resume(String)
        /// Gives a request another priority.
        case setPriority(String, Priority)
        /// Waits for the callback of a request that is in the background.
        case wait(String)
        case sleep(Duration)
        /// Waits until the app has what a request asked for, and uses it.
        case use(String)
        /// Sets how late packs of tags are purged: 0 to 1, higher ones later.
        case preserve([String], priority: Double)
        /// Fills this much of the device's storage with other data.
        case fill(ByteCount)
        /// Makes the system free this much of the device's packs.
        case purge(free: ByteCount)
        /// Gives the device another network.
        case radio(Device.Radio)
        /// Installs the app: fetches its initial tags, and prefetches others from then on.
        case install
        /// Starts the app; if the device has several bundles, this one.
        case launch(bundle: String?)
        /// Ends the app and releases everything that it holds.
        case quit
        /// Replaces the app by a version with these packs.
        case update(Content.Catalog)
        /// Buys the packs of tags, which the host refuses before.
        case buy([String])
        /// Removes packs of Background Assets.
        case remove([String])

        /// Whether the step takes time without a download, or fetches something that no request asks for.
        var isPause: Bool {
            switch self {
            case .sleep, .cancel, .pause, .resume, .use, .preserve, .fill, .purge, .radio, .install, .launch, .quit,
                .update, .buy, .remove:
                true
            case .request, .begin, .end, .wait, .setPriority: false
            }
        }
    }

    /// One use of tags.
    package struct Request: Hashable, Sendable {
        /// The name in other steps and expectations; `r1`, `r2` and so on if the file gives none.
        package var id: String
        package var tags: [String]
        package var priority: Priority
        package var isBackground: Bool
        /// Whether it only checks that all is there, without a download; if so, it is pinned as if begun.
        package var isConditional = false
    }

    /// How urgent a request is.
    package enum Priority: Hashable, Sendable {
        /// 0 to 1.
        case value(Double)
        /// Before all others, at any cost.
        case urgent
    }

    /// The steps of the built-in client; empty for a command.
    package var steps: [Step] {
        guard case .requests(let steps) = self else { return [] }
        return steps
    }

    /// The requests in their order; empty for a command.
    package var requests: [Request] {
        steps.compactMap { step in
            if case .request(let request) = step { request } else { nil }
        }
    }

    /// The catalogs that updates bring, in their order.
    package var updates: [Content.Catalog] {
        steps.compactMap { step in
            if case .update(let catalog) = step { catalog } else { nil }
        }
    }

    /// Whether the workload installs the app, which may come with some of its packs.
    package var hasInstall: Bool { steps.contains(.install) }

    /// How many steps make the system need room that no request asks for.
    package var pressures: Int {
        steps.count { step in
            switch step {
            case .fill, .purge: true
            default: false
            }
        }
    }

    /// Whether a step fills the device's storage with other data.
    package var hasFill: Bool { steps.contains { if case .fill = $0 { true } else { false } } }

    /// Whether a step uses what a request asked for.
    package var hasUses: Bool { steps.contains { if case .use = $0 { true } else { false } } }

    /// The names of everything that has a callback, in their order: requests, the install and the updates.
    package var names: [String] {
        var updates = 0
        return steps.compactMap { step in
            switch step {
            case .request(let request): return request.id
            case .install: return Self.install
            case .update:
                updates += 1
                return updates == 1 ? Self.update : "\(Self.update)-\(updates)"
            default: return nil
            }
        }
    }

    /// The same without conditional requests that no step begins.
    package var namesOfBegun: [String] {
        let asked = Set(requests.filter(\.isConditional).map(\.id)).subtracting(begunLater)
        return names.filter { !asked.contains($0) }
    }

    /// The names of requests that a `begin` step begins after a conditional check.
    var begunLater: Set<String> {
        steps.reduce(into: []) { names, step in if case .begin(let id) = step { names.insert(id) } }
    }

    /// The bundles of the device's apps; empty if there is only one app.
    package var bundles: [String] {
        steps.compactMap { step in
            if case .launch(let bundle) = step { bundle } else { nil }
        }
    }

    /// The name of the install in expectations.
    package static let install = "install"
    /// The name of the first update in expectations; later ones have a number appended, from 2: `update-2`.
    package static let update = "update"

    /// Whether a name is reserved for the system's own requests.
    static func isReserved(_ id: String) -> Bool {
        id == install || id == update || id.hasPrefix(update + "-") || id.hasPrefix("prefetch-")
    }
}
