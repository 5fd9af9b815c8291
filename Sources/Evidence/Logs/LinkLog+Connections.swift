import LinkModel
import Results

extension LinkLog {
    /// The connections that clients opened, in order; nil if the link reports none.
    var connections: [ConductRecord.Connection]? {
        var places: [Int: Int] = [:]
        var found: [ConductRecord.Connection] = []
        func note(_ number: Int, _ change: (inout ConductRecord.Connection) -> Void) {
            if let place = places[number] { change(&found[place]) }
        }
        for event in events {
            switch event.kind {
            case .opened(_, _, let key, _), .flow(protocol: 6, _, let key, _):
                guard found.count < ConductRecord.mostEntries else { continue }
                places[event.connection] = found.count
                found.append(.init(name: key))
            case .keyed(let key, _): note(event.connection) { $0.name = key }
            case .delivered(.downlink, let total): note(event.connection) { $0.downlinkBytes = total }
            case .delivered(.uplink, let total): note(event.connection) { $0.uplinkBytes = total }
            case .closed(let downlink, let uplink, let cause):
                note(event.connection) {
                    ($0.downlinkBytes, $0.uplinkBytes, $0.end) = (downlink, uplink, cause.rawValue)
                }
            case .flow, .lookup, .connected, .refused, .hostSide, .serverName, .conditions, .decision: continue
            }
        }
        return found.isEmpty ? nil : found
    }
}
