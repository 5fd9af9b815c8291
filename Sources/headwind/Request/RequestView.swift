import Documents
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

    /// The result of the request, printed at the end.
    func result(tags: [String], error: ResourceError?) -> (json: JSONTree, lines: [String]) {
        let (state, tags) = (state.withLock { $0 }, tags.sorted())
        // The packs that had to be fetched, and the bytes at which the downloads began: not 0 if one was resumed.
        let packs = state.fetched.sorted { $0.key < $1.key }.map { pack, bytes in
            (pack: OptionSecrets.redacted(pack), bytes: bytes, from: state.from[pack] ?? 0)
        }
        let fetched = packs.map { pack, bytes, from in
            JSONTree.object(["pack": .text(pack), "storedBytes": .whole(bytes), "resumedFrom": .whole(from)])
        }
        let failure = error.map { error in
            JSONTree.object([
                "domain": .text(error.domain.rawValue), "code": .whole(error.code), "kind": .text(error.kind.rawValue),
                "message": .text(OptionSecrets.redacted(error.message)),
            ])
        }
        let json = JSONTree.object([
            "available": .flag(error == nil), "tags": .texts(tags), "fetched": .list(fetched),
            "seconds": .number(Double(state.last - (state.first ?? state.last)) / 1e9), "error": failure,
        ])
        var lines = packs.map { pack, bytes, from in
            "\(pack)  \(bytes) bytes\(from > 0 ? ", resumed from byte \(from)" : "")"
        }
        if error == nil {
            lines.append("available: \(tags.joined(separator: " ")) (\(packs.count.counted("pack")) fetched)")
        }
        return (json, lines)
    }
}
