import LinkModel
package import Results

extension HuntPack {
    /// A connection that uploads fewer bytes than this carries only requests.
    private static let leastUpload: Int64 = 4096

    /// A pack for each direction of a client's connections in which it carries data, at most the first eight
    /// connections.
    package static func connections(of conduct: ConductRecord?) -> [HuntPack] {
        (conduct?.connections ?? []).prefix(InterestingPlaces.mostRequests).flatMap(directions)
    }

    fileprivate static func directions(of connection: ConductRecord.Connection) -> [HuntPack] {
        let name = connection.name
        var down = HuntPack(identifier: name, path: name, size: connection.downlinkBytes)
        var up = HuntPack(identifier: "\(name) up", path: name, size: connection.uplinkBytes)
        (down.medium, up.medium) = (.connection(.downlink), .connection(.uplink))
        return (down.size > 0 ? [down] : []) + (up.size >= leastUpload ? [up] : [])
    }
}

extension InterestingPlaces {
    /// The places to put faults at on a client's connections, which are numbered in order from 1.
    ///
    /// A connection carries another number of bytes in each attempt. Those in `known`, by identifier, keep their size:
    /// otherwise the same fault would look new in each attempt.
    static func requests(of connections: [ConductRecord.Connection], _ known: [String: HuntPack]) -> [Request] {
        connections.prefix(mostRequests).enumerated().flatMap { index, connection in
            HuntPack.directions(of: connection).map { own in
                let pack = known[own.identifier] ?? own
                let offsets = offsets(from: 0, upTo: pack.size)
                return Request(
                    pack: pack, number: index + 1, offsets: offsets, connectionOffsets: offsets, isOfRange: false)
            }
        }
    }
}
