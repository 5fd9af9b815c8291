/// What the client of a cell does.
package enum Workload: Hashable, Sendable {
    /// The built-in client takes these steps, one after the other.
    case requests([Step])
    /// A program of the user's runs.
    case command(Command)

    /// One step of the built-in client.
    package enum Step: Hashable, Sendable {
        /// Begins a request, and waits for its callback unless it is in the background.
        case request(Request)
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

        /// Whether the time that it takes is not the download's.
        var isPause: Bool {
            switch self {
            case .sleep, .cancel, .pause, .resume: true
            case .request, .end, .wait, .setPriority: false
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
    }

    /// How urgent a request is.
    package enum Priority: Hashable, Sendable {
        /// 0 to 1.
        case value(Double)
        /// Before all others, at any cost.
        case urgent
    }

    /// The requests in their order; empty for a command.
    package var requests: [Request] {
        guard case .requests(let steps) = self else { return [] }
        return steps.compactMap { step in
            if case .request(let request) = step { request } else { nil }
        }
    }
}
