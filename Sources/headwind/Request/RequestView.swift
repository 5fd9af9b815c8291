import Events
import ResourceLoading
import Synchronization
import Wording

/// Shows the progress of a request: a bar on a terminal, occasional lines elsewhere; and its result.
///
/// Names of packs and messages contain no secrets, even if a host repeats them.
final class RequestView: Sendable {
    private struct State {
        var fetched: [String: Int64] = [:]
        var from: [String: Int64] = [:]
        var first: Int64?
        var last: Int64 = 0
        var shownTenths = 0
    }

    private let state = Mutex(State())

    /// Shows an event.
    func show(_ event: ClientEvent) {
        state.withLock { state in
            state.first = state.first ?? event.t
            state.last = event.t
            let pack = event.pack ?? ""
            switch event.kind {
            case .progress: showProgress(event.fraction ?? 0, event.completed ?? 0, event.total ?? 0, &state)
            case .fetch where event.try == 1: state.from[pack] = event.from
            case .stored: state.fetched[pack] = event.bytes
            case .retry:
                let (why, after) = (OptionSecrets.redacted(event.reason ?? ""), Duration.seconds(event.after ?? 0))
                Console.note("\(OptionSecrets.redacted(pack)): \(why) Trying again in \(after).")
            case .purged: Console.note("\(OptionSecrets.redacted(pack)): purged, \(event.bytes ?? 0) bytes")
            case .removed: Console.note("\(OptionSecrets.redacted(pack)): removed, \(event.bytes ?? 0) bytes")
            case .notification: Console.note("\(event.name ?? "")")
            default: break
            }
        }
    }

    private func showProgress(_ fraction: Double, _ completed: Int64, _ total: Int64, _ state: inout State) {
        if Console.isInteractive {
            let width = 30
            let full = Int(fraction * Double(width))
            let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
            Console.progress("\(bar) \(Int(fraction * 100)) %  \(completed) of \(total) bytes")
            if fraction == 1 { Console.progress("") }
            return
        }
        let tenths = Int(fraction * 10)
        guard tenths > state.shownTenths else { return }
        state.shownTenths = tenths
        Console.note("\(tenths * 10) %  \(completed) of \(total) bytes")
    }

    /// The result, printed at the end.
    struct Result: Encodable {
        struct Pack: Encodable {
            var pack: String
            var storedBytes: Int64
            /// The byte at which the download began; more than 0 if an earlier one was resumed.
            var resumedFrom: Int64
        }

        struct Failure: Encodable {
            var domain: String
            var code: Int
            var kind: String
            var message: String
        }

        var available: Bool
        var tags: [String]
        /// The packs that had to be fetched.
        var fetched: [Pack]
        var seconds: Double
        var error: Failure?

        var lines: [String] {
            var lines = fetched.map { pack in
                let resumed = pack.resumedFrom > 0 ? ", resumed from byte \(pack.resumedFrom)" : ""
                return "\(pack.pack)  \(pack.storedBytes) bytes\(resumed)"
            }
            if available {
                lines.append("available: \(tags.joined(separator: " ")) (\(fetched.count.counted("pack")) fetched)")
            }
            return lines
        }
    }

    /// The result of the request.
    func result(tags: [String], error: ResourceError?) -> Result {
        state.withLock { state in
            Result(
                available: error == nil,
                tags: tags.sorted(),
                fetched: state.fetched.sorted { $0.key < $1.key }.map {
                    .init(
                        pack: OptionSecrets.redacted($0.key), storedBytes: $0.value,
                        resumedFrom: state.from[$0.key] ?? 0)
                },
                seconds: Double(state.last - (state.first ?? state.last)) / 1e9,
                error: error.map {
                    .init(
                        domain: $0.domain.rawValue, code: $0.code, kind: $0.kind.rawValue,
                        message: OptionSecrets.redacted($0.message))
                }
            )
        }
    }
}
