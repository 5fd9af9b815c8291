import LinkModel

// The faults of a hunt, each with its full declaration: this file grows with the number of faults.

extension HuntFault {
    package enum Kind: String, CaseIterable, Sendable {
        // The host.
        case cut, reset, unavailable, unavailableForAWhile, tooManyRequests, internalError, notFound, unavailableForGood
        case unavailableForADay, lateHead, noHead, stall, stallForGood, drip, corrupt, longLength, gzip, chunked
        case untilClose, redirect, redirectLoop, portal, ignoredRange, refusedRange, wrongRange, multipart, changedETag
        case newEdition, shorterEdition, noValidators, weakETag
        // Packets.
        case lostPacket, lostPackets, latePacket, duplicatedPacket, reorderedPacket, corruptedPacket, severed, pause
        case lostHandshake, lostLookup
        // The link as a whole.
        case silence, silenceForGood, refusal, noRoute, noName, connectionsReset, startsSilent, startsRefused
        // The client, and its device.
        case killed, deviceFull

        /// The kinds of these layers whose needs are met (default: all needs).
        package static func all(of layers: Set<Layer>, metNeeds: Set<Need> = Set(Need.allCases)) -> [Self] {
            allCases.filter { kind in
                layers.contains(kind.row.layer) && kind.row.need.map { metNeeds.contains($0) } ?? true
            }
        }
    }
}

extension HuntFault.Kind {
    private static let rows = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.declaration) })

    /// The properties of the kind.
    package var row: HuntFault.Row { Self.rows[self] ?? declaration }

    private var declaration: HuntFault.Row {
        switch self {
        case .cut:
            .init(.host, .retries, "the connection of {request} ends {byte}", "cut@{offset}", traits: [.endsEarly])
        case .reset:
            .init(
                .host, .retries, "the connection of {request} is reset {byte}", "cut@{offset} rst", traits: [.endsEarly]
            )
        case .unavailable: .init(.host, .retries, "{request} gets status 503", "status=503")
        case .unavailableForAWhile:
            .init(.host, .retries, "{request} gets status 503 with Retry-After: 1", "status=503 retry-after=1s")
        case .tooManyRequests:
            .init(.host, .retries, "{request} gets status 429 with Retry-After: 1", "status=429 retry-after=1s")
        case .internalError: .init(.host, .retries, "{request} gets status 500", "status=500")
        case .notFound:
            .init(.host, .reports, "every request from {request} on gets status 404", "status=404", isForGood: true)
        case .unavailableForGood:
            .init(.host, .reports, "every request from {request} on gets status 503", "status=503", isForGood: true)
        case .unavailableForADay:
            // A good client does not sleep for a day: it reports an error, or tries again sooner.
            .init(.host, .reports, "{request} gets status 503 with Retry-After: 86400", "status=503 retry-after=86400s")
        case .lateHead: .init(.host, .bears, "the answer to {request} comes {time} late", "late-head={length}")
        case .noHead: .init(.host, .reports, "{request} is never answered", "no-head")
        case .stall:
            .init(
                .host, .bears, "the answer to {request} stalls for {time} {byte}", "stall@{offset} for={length}")
        case .stallForGood:
            .init(.host, .reports, "the answer to {request} stalls for good {byte}", "stall@{offset}")
        case .drip: .init(.host, .bears, "the answer to {request} comes slowly, over 2 s", "drip={half}B/s")
        case .corrupt:
            .init(
                .host, .reports, "one bit of the answer to {request} is wrong {byte}", "corrupt@{offset}",
                needsDigest: true)
        case .longLength:
            .init(
                .host, .reports, "the answer to {request} announces 100 bytes too many", "wrong-length=+100",
                traits: [.endsEarly])
        case .gzip: .init(.host, .reports, "{request} is answered with gzip that it did not ask for", "encoding=gzip")
        case .chunked: .init(.host, .bears, "{request} is answered in chunks", "framing=chunked")
        case .untilClose:
            .init(
                .host, .bears, "the answer to {request} has no length, and ends with its connection",
                "framing=until-close", traits: [.hidesEnd])
        case .redirect:
            // The host serves one pack at each path.
            .init(.host, .bears, "{request} is redirected to another path", "redirect=/moved/{number}{path}")
        case .redirectLoop:
            .init(
                .host, .reports, "every request from {request} on is redirected to the same path", "redirect={path}",
                isForGood: true)
        case .portal:
            .init(
                .host, .reports, "{request} is answered by a sign-in page", "body=\"<p>Sign in</p>\"",
                needsDigest: true)
        case .ignoredRange:
            .init(.host, .bears, "{request} gets the whole pack instead of a range", "ignore-range", isOfRange: true)
        case .refusedRange:
            .init(.host, .reports, "{request} gets status 416 for a range", "refuse-range", isOfRange: true)
        case .wrongRange:
            .init(.host, .reports, "{request} gets a range that begins 5 bytes late", "wrong-range=+5", isOfRange: true)
        case .multipart: .init(.host, .reports, "{request} gets its range as multipart", "multipart", isOfRange: true)
        case .changedETag: .init(.host, .bears, "the ETag changes at {request}", "changed-etag")
        case .newEdition:
            // The client must get the later edition, so the earlier one must not arrive whole.
            .init(
                .host, .reports, "{connection} ends {byte}, and the pack changes before the next request",
                "changed-content=+0", "cut@{offset}", traits: [.newEdition, .endsEarly], isFirstOnly: true)
        case .shorterEdition:
            // The client then has more bytes than the later edition, and may request a rest that does not exist.
            .init(
                .host, .reports,
                "{connection} ends at byte {end} of {twice}, and the pack becomes half as long before the next request",
                "changed-content=+{size}", "cut@{end}", traits: [.newEdition, .endsEarly], isFirstOnly: true)
        case .noValidators:
            .init(
                .host, .bears, "the answer to {request} has no ETag and no Last-Modified", "no-validators",
                traits: [.hidesEdition])
        case .weakETag: .init(.host, .bears, "the ETag of {request} is weak", "weak-etag", traits: [.hidesEdition])
        case .lostPacket: packet(.drop, "is lost")
        case .lostPackets:
            .init(.packet, .bears, "20 packets of {request} are lost {byte}") {
                [$0.packet(.drop, length: 20 * 1448)]
            }
        case .latePacket:
            .init(.packet, .bears, "a packet of {request} comes {time} late {byte}", lasts: [100, 400]) {
                [$0.packet(.delay($0.duration))]
            }
        case .duplicatedPacket: packet(.duplicate, "comes twice")
        case .reorderedPacket: packet(.reorder, "overtakes others")
        // The receiver's kernel detects the wrong checksum, and drops the packet.
        case .corruptedPacket: packet(.corrupt(at: 0.5), "has a wrong bit")
        case .severed:
            .init(.packet, .retries, "the link resets {connection} {byte}", traits: [.endsEarly]) {
                [$0.packet(.cut)]
            }
        case .pause:
            .init(.packet, .bears, "the connection of {request} stalls for {time} {byte}") {
                [$0.packet(.stall($0.duration))]
            }
        case .lostHandshake:
            // The client retransmits the packet after one second, and a lost lookup after five.
            .init(.packet, .reports, "the first packet of each connection is lost") { _ in
                [
                    .packet(
                        .init(connection: .any, direction: .uplink, place: .handshake, transmission: 1, effect: .drop))
                ]
            }
        case .lostLookup:
            .init(.packet, .reports, "the first packet of each name lookup is lost", need: .names) { _ in
                [.packet(.init(connection: .any, direction: .uplink, place: .lookup, transmission: 1, effect: .drop))]
            }
        // The longer the silence lasts, the later a packet is retransmitted. Some clients with a short timeout give up.
        case .silence: outage(.silent, "the link is silent")
        case .silenceForGood:
            .init(.link, .reports, "the link is silent for good {moment}") { $0.waiting(.offline(.silent)) }
        case .refusal: outage(.refused, "connections are refused")
        case .noRoute: outage(.noRoute, "there is no route")
        case .noName: outage(.noName, "names are unknown", need: .names)
        case .connectionsReset:
            .init(.link, .retries, "all connections are reset {moment}", traits: [.endsEarly]) { $0.waiting(.cut) }
        case .startsSilent:
            // A lost lookup is retransmitted after five seconds.
            .init(.link, .reports, "the link is silent for the first {time}") {
                [.link(.init(effect: .offline(.silent), after: .time(.zero), until: .later($0.duration)))]
            }
        case .startsRefused:
            .init(.link, .reports, "connections are refused from the start") { _ in
                [.link(.init(effect: .offline(.refused), after: .time(.zero)))]
            }
        case .killed:
            .init(.client, .retries, "the client is killed {moment}, and started again", traits: [.endsEarly]) {
                $0.waiting(.clientKilled)
            }
        case .deviceFull:
            .init(.client, .reports, "the client's device has no room left {moment}", need: .device) {
                $0.waiting(.deviceFull)
            }
        }
    }

    /// A fault of one packet; `words` say what happens to it.
    private func packet(_ effect: PacketEffect, _ words: String) -> HuntFault.Row {
        .init(.packet, .bears, "a packet of {request} \(words) {byte}") { [$0.packet(effect)] }
    }

    /// An outage of the link for a time; `words` say how it looks.
    private func outage(_ kind: OfflineKind, _ words: String, need: HuntFault.Need? = nil) -> HuntFault.Row {
        .init(.link, .reports, "\(words) {span}", need: need) {
            $0.waiting(.offline(kind), until: .later($0.duration))
        }
    }
}
