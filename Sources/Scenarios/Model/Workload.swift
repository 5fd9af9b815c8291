package import LinkModel

/// What the client of a cell does.
package enum Workload: Hashable, Sendable {
    /// The built-in client takes these steps, one after the other.
    case requests([Step])
    /// A program of the user's runs.
    case command(Command)

    /// Whether the built-in client, or what takes its command line, does it.
    package var isBuiltIn: Bool { if case .requests = self { true } else { false } }

    /// One step of the built-in client.
    package enum Step: Hashable, Sendable {
        /// Begins a request, and waits for its callback unless it is in the background.
        case request(Request)
        /// Begins a request that was asked conditionally, and waits for its callback.
        case begin(String)
        /// Ends a request, after which its packs may be purged.
        case end(String)
        /// Cancels a request that is in the background, once it has come so far.
        case cancel(String, after: Double)
        /// Holds back a request that is in the background, once it has come so far.
        case pause(String, after: Double)
        /// Goes on with a request that was held back.
        case resume(String)
        /// Gives a request another priority.
        case setPriority(String, Priority)
        /// Waits for the callback of a request that is in the background.
        case wait(String)
        case sleep(Duration)
        /// Waits until the app has what a request asked for, and uses it.
        case use(String)
        /// Says how late packs of tags are purged, 0 to 1.
        case preserve([String], priority: Double)
        /// Has something else take so much of the device's room.
        case fill(ByteCount)
        /// Has the system free so much of the device's packs.
        case purge(free: ByteCount)
        /// Gives the device another network.
        case radio(Device.Radio)
        /// Installs the app: fetches its initial tags, and prefetches others from then on.
        case install
        /// Starts the app; of several bundles on the device, this one.
        case launch(bundle: String?)
        /// Ends the app and whatever it holds.
        case quit
        /// Replaces the app by one whose packs are these.
        case update(Content.Catalog)
        /// Buys what tags have, which the host refuses before.
        case buy([String])
        /// Removes packs of Background Assets.
        case remove([String])

        /// Whether the time that it takes is not the download's, or what it fetches is not a request's.
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
        /// The name by which other steps and expectations call it; `r1`, `r2` and so on where the file gives none.
        package var id: String
        package var tags: [String]
        package var priority: Priority
        package var isBackground: Bool
        /// Whether it is only asked whether all is there; then it is pinned as if begun.
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

    /// Whether the app's packs come with it, some of them.
    package var hasInstall: Bool { steps.contains(.install) }

    /// How often the system needs room that no request asks for.
    package var pressures: Int {
        steps.count { step in
            switch step {
            case .fill, .purge: true
            default: false
            }
        }
    }

    /// Whether something else takes room of the device.
    package var hasFill: Bool { steps.contains { if case .fill = $0 { true } else { false } } }

    /// Whether the app uses what it has asked for.
    package var hasUses: Bool { steps.contains { if case .use = $0 { true } else { false } } }

    /// The names of all that is called back, in their order: requests, the install and the updates.
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

    /// The same without those that are only asked conditionally, and that no step begins.
    package var namesOfBegun: [String] {
        let asked = Set(requests.filter(\.isConditional).map(\.id)).subtracting(begunLater)
        return names.filter { !asked.contains($0) }
    }

    /// The names of requests that a step of their own begins, after they were asked conditionally.
    var begunLater: Set<String> {
        steps.reduce(into: []) { names, step in if case .begin(let id) = step { names.insert(id) } }
    }

    /// The bundles that the device's apps have; empty where there is but one app.
    package var bundles: [String] {
        steps.compactMap { step in
            if case .launch(let bundle) = step { bundle } else { nil }
        }
    }

    /// How the install is called in expectations.
    package static let install = "install"
    /// How the first update is called in expectations; others have their numbers behind it.
    package static let update = "update"

    /// Whether the system's own requests are called so.
    static func isReserved(_ id: String) -> Bool {
        id == install || id == update || id.hasPrefix(update + "-") || id.hasPrefix("prefetch-")
    }
}
