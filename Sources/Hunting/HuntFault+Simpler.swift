extension HuntFault {
    /// Faults that are easier to understand and may have the same effect; the simplest first.
    ///
    /// They are of a more common kind, shorter, at the first request, or at a round offset. Headwind's host has no part
    /// in the connections of other hosts.
    package var simpler: [HuntFault] {
        let row = kind.row
        var others: [HuntFault] = wait > 0 ? [changed { $0.wait = 0 }] : []
        for other in kind.simplerKinds where pack.medium == .file || other.row.layer != .host {
            others.append(changed { $0.kind = other })
            // Bytes of a connection are not those of the pack, of which an earlier connection may have brought a part.
            if row.layer == .packet, other.row.layer == .host {
                others.append(changed { ($0.kind, $0.offset) = (other, $0.pack.size / 4 * 3) })
            }
        }
        others += row.milliseconds.filter { $0 < milliseconds }.map { time in changed { $0.milliseconds = time } }
        // The link and the client act on bytes of the pack, whichever request brings them.
        if request > 1, pack.medium == .file, [.host, .packet].contains(row.layer) {
            others.append(changed { $0.request = 1 })
        }
        if row.hasPlace {
            let round = [pack.size / 2, pack.size, offset / 1_000_000 * 1_000_000, offset / 100_000 * 100_000]
            // The middle is the simplest place. A place after the current one in this list is no simpler.
            let places = round.filter { $0 > 0 && $0 <= pack.size }.map { place in changed { $0.offset = place } }
            others += places.prefix { $0.offset != offset }
        }
        return others.filter { $0 != self }
    }

    /// A copy that `change` has changed, limited again to the pack and its requests.
    func changed(_ change: (inout HuntFault) -> Void) -> HuntFault {
        var copy = self
        change(&copy)
        return HuntFault(
            copy.kind, of: copy.pack, request: copy.request, offset: copy.offset, milliseconds: copy.milliseconds,
            wait: copy.wait)
    }
}

extension HuntFault.Kind {
    /// Whether it only ends a connection, in one way or another.
    var losesConnection: Bool {
        let row = row
        return row.traits == [.endsEarly] && row.demand == .retries && row.layer != .client
    }

    /// Kinds that are more common in practice and may show the same failure.
    fileprivate var simplerKinds: [HuntFault.Kind] {
        switch self {
        case .severed, .connectionsReset, .killed: [.cut, .reset]
        case .reset: [.cut]
        case .unavailableForAWhile, .tooManyRequests, .internalError, .unavailableForGood: [.unavailable]
        case .redirectLoop: [.redirect]
        case .noRoute, .noName, .refusal: [.silence]
        case .silenceForGood: [.silence, .stallForGood]
        case .lostPackets, .latePacket, .duplicatedPacket, .reorderedPacket, .corruptedPacket: [.lostPacket]
        default: []
        }
    }
}
