import LinkModel

extension HuntFault.Kind {
    /// The properties of the kind: one case for each kind.
    package var row: HuntFault.Row {
        switch self {
        case .cut:
            .init(.host, .retries, traits: [.endsEarly], hasPlace: true) {
                "the connection of \($0.requestText) ends \($0.byteText)"
            } lines: {
                [$0.host("cut@\($0.offset)")]
            }
        case .reset:
            .init(.host, .retries, traits: [.endsEarly], hasPlace: true) {
                "the connection of \($0.requestText) is reset \($0.byteText)"
            } lines: {
                [$0.host("cut@\($0.offset) rst")]
            }
        case .unavailable:
            .init(.host, .retries) {
                "\($0.requestText) gets status 503"
            } lines: {
                [$0.host("status=503")]
            }
        case .unavailableForAWhile:
            .init(.host, .retries) {
                "\($0.requestText) gets status 503 with Retry-After: 1"
            } lines: {
                [$0.host("status=503 retry-after=1s")]
            }
        case .tooManyRequests:
            .init(.host, .retries) {
                "\($0.requestText) gets status 429 with Retry-After: 1"
            } lines: {
                [$0.host("status=429 retry-after=1s")]
            }
        case .internalError:
            .init(.host, .retries) {
                "\($0.requestText) gets status 500"
            } lines: {
                [$0.host("status=500")]
            }
        case .notFound:
            .init(.host, .reports) {
                "every request from \($0.requestText) on gets status 404"
            } lines: {
                [$0.host("status=404", tries: $0.request...Int.max)]
            }
        case .unavailableForGood:
            .init(.host, .reports) {
                "every request from \($0.requestText) on gets status 503"
            } lines: {
                [$0.host("status=503", tries: $0.request...Int.max)]
            }
        case .unavailableForADay:
            // A good client does not sleep for a day: it reports an error, or tries again sooner.
            .init(.host, .reports) {
                "\($0.requestText) gets status 503 with Retry-After: 86400"
            } lines: {
                [$0.host("status=503 retry-after=86400s")]
            }
        case .lateHead:
            .init(.host, .bears, lasts: [500, 2000]) {
                "the answer to \($0.requestText) comes \($0.duration.text) late"
            } lines: {
                [$0.host("late-head=\($0.durationWord)")]
            }
        case .noHead:
            .init(.host, .reports) {
                "\($0.requestText) is never answered"
            } lines: {
                [$0.host("no-head")]
            }
        case .stall:
            .init(.host, .bears, hasPlace: true, lasts: [500, 2000]) {
                "\($0.requestText) stalls for \($0.duration.text) \($0.byteText)"
            } lines: {
                [$0.host("stall@\($0.offset) for=\($0.durationWord)")]
            }
        case .stallForGood:
            .init(.host, .reports, hasPlace: true) {
                "\($0.requestText) stalls for good \($0.byteText)"
            } lines: {
                [$0.host("stall@\($0.offset)")]
            }
        case .drip:
            .init(.host, .bears) {
                "\($0.requestText) comes slowly, within 2 s"
            } lines: {
                [$0.host("drip=\(max(1, $0.pack.size / 2))B/s")]
            }
        case .corrupt:
            .init(.host, .reports, hasPlace: true, needsDigest: true) {
                "one bit of the answer to \($0.requestText) is wrong \($0.byteText)"
            } lines: {
                [$0.host("corrupt@\(min($0.offset, max(0, $0.pack.size - 1)))")]
            }
        case .longLength:
            .init(.host, .reports, traits: [.endsEarly]) {
                "the answer to \($0.requestText) announces 100 bytes too many"
            } lines: {
                [$0.host("wrong-length=+100")]
            }
        case .gzip:
            .init(.host, .reports) {
                "\($0.requestText) is answered with gzip that it did not ask for"
            } lines: {
                [$0.host("encoding=gzip")]
            }
        case .chunked:
            .init(.host, .bears) {
                "\($0.requestText) is answered in chunks"
            } lines: {
                [$0.host("framing=chunked")]
            }
        case .untilClose:
            .init(.host, .bears, traits: [.hidesEnd]) {
                "the answer to \($0.requestText) has no length, and ends with its connection"
            } lines: {
                [$0.host("framing=until-close")]
            }
        case .redirect:
            .init(.host, .bears) {
                "\($0.requestText) is redirected to another path"
            } lines: {
                [$0.host("redirect=/moved/\($0.request)")]
            }
        case .redirectLoop:
            .init(.host, .reports) {
                "every request from \($0.requestText) on is redirected to the same path"
            } lines: {
                [$0.host("redirect=\($0.pack.path)", tries: $0.request...Int.max)]
            }
        case .portal:
            .init(.host, .reports, needsDigest: true) {
                "\($0.requestText) is answered by a sign-in page"
            } lines: {
                [$0.host("body=\"<p>Sign in</p>\"")]
            }
        case .ignoredRange:
            .init(.host, .bears, isOfRange: true) {
                "\($0.requestText) gets the whole pack instead of a range"
            } lines: {
                [$0.host("ignore-range")]
            }
        case .refusedRange:
            .init(.host, .reports, isOfRange: true) {
                "\($0.requestText) gets status 416 for a range"
            } lines: {
                [$0.host("refuse-range")]
            }
        case .wrongRange:
            .init(.host, .reports, isOfRange: true) {
                "\($0.requestText) gets a range that begins 5 bytes late"
            } lines: {
                [$0.host("wrong-range=+5")]
            }
        case .multipart:
            .init(.host, .reports, isOfRange: true) {
                "\($0.requestText) gets its range as multipart"
            } lines: {
                [$0.host("multipart")]
            }
        case .changedETag:
            .init(.host, .bears) {
                "the ETag changes at \($0.requestText)"
            } lines: {
                [$0.host("changed-etag")]
            }
        case .newEdition:
            // The client must get the later edition, so the earlier one must not arrive whole.
            .init(.host, .reports, traits: [.newEdition, .endsEarly], hasPlace: true, isFirstOnly: true) {
                "\($0.connectionText) ends \($0.byteText), and the pack changes before the next request"
            } lines: {
                [$0.host("changed-content=+0"), $0.host("cut@\(min($0.offset, max(0, $0.pack.size - 1)))")]
            }
        case .shorterEdition:
            // The client then has more bytes than the later edition, and may request a rest that does not exist.
            .init(.host, .reports, traits: [.newEdition, .endsEarly], hasPlace: true, isFirstOnly: true) {
                "\($0.connectionText) ends at byte \($0.pack.size + $0.offset) of \($0.pack.size * 2), and the pack is half as long before the next request"
            } lines: {
                [$0.host("changed-content=+\($0.pack.size)"), $0.host("cut@\($0.pack.size + $0.offset)")]
            }
        case .noValidators:
            .init(.host, .bears, traits: [.hidesEdition]) {
                "the answer to \($0.requestText) has no ETag and no Last-Modified"
            } lines: {
                [$0.host("no-validators")]
            }
        case .weakETag:
            .init(.host, .bears, traits: [.hidesEdition]) {
                "the ETag of \($0.requestText) is weak"
            } lines: {
                [$0.host("weak-etag")]
            }
        case .lostPacket:
            .init(.packet, .bears, hasPlace: true) {
                "a packet of \($0.requestText) is lost \($0.byteText)"
            } lines: {
                [$0.packet(.drop)]
            }
        case .lostPackets:
            .init(.packet, .bears, hasPlace: true) {
                "20 packets of \($0.requestText) are lost \($0.byteText)"
            } lines: {
                [$0.packet(.drop, length: 20 * 1448)]
            }
        case .latePacket:
            .init(.packet, .bears, hasPlace: true, lasts: [100, 400]) {
                "a packet of \($0.requestText) comes \($0.duration.text) late \($0.byteText)"
            } lines: {
                [$0.packet(.delay($0.duration))]
            }
        case .duplicatedPacket:
            .init(.packet, .bears, hasPlace: true) {
                "a packet of \($0.requestText) comes twice \($0.byteText)"
            } lines: {
                [$0.packet(.duplicate)]
            }
        case .reorderedPacket:
            .init(.packet, .bears, hasPlace: true) {
                "a packet of \($0.requestText) overtakes others \($0.byteText)"
            } lines: {
                [$0.packet(.reorder)]
            }
        case .corruptedPacket:
            // The receiver's kernel detects the wrong checksum, and drops the packet.
            .init(.packet, .bears, hasPlace: true) {
                "a packet of \($0.requestText) has a wrong bit \($0.byteText)"
            } lines: {
                [$0.packet(.corrupt(at: 0.5))]
            }
        case .severed:
            .init(.packet, .retries, traits: [.endsEarly], hasPlace: true) {
                "the link resets \($0.connectionText) \($0.byteText)"
            } lines: {
                [$0.packet(.cut)]
            }
        case .pause:
            .init(.packet, .bears, hasPlace: true, lasts: [500, 2000]) {
                "the connection of \($0.requestText) stalls for \($0.duration.text) \($0.byteText)"
            } lines: {
                [$0.packet(.stall($0.duration))]
            }
        case .lostHandshake:
            // The client retransmits the packet after one second, and a lost lookup after five.
            .init(.packet, .reports) { _ in
                "the first packet of each connection is lost"
            } lines: { _ in
                [
                    .packet(
                        .init(connection: .any, direction: .uplink, place: .handshake, transmission: 1, effect: .drop))
                ]
            }
        case .lostLookup:
            .init(.packet, .reports) { _ in
                "the first packet of each name lookup is lost"
            } lines: { _ in
                [.packet(.init(connection: .any, direction: .uplink, place: .lookup, transmission: 1, effect: .drop))]
            }
        case .silence:
            // The longer the silence lasts, the later a packet is retransmitted. Some clients with a short timeout give
            // up.
            .init(.link, .reports, hasPlace: true, lasts: [500, 2000]) {
                "the link is silent for \($0.duration.text) \($0.byteText) of \($0.requestText)"
            } lines: {
                $0.waiting(.outage(.silent), until: .later($0.duration))
            }
        case .silenceForGood:
            .init(.link, .reports, hasPlace: true) {
                "the link is silent for good \($0.byteText) of \($0.requestText)"
            } lines: {
                $0.waiting(.outage(.silent))
            }
        case .refusal:
            .init(.link, .reports, hasPlace: true, lasts: [500, 2000]) {
                "connections are refused for \($0.duration.text) \($0.byteText) of \($0.requestText)"
            } lines: {
                $0.waiting(.outage(.refused), until: .later($0.duration))
            }
        case .noRoute:
            .init(.link, .reports, hasPlace: true, lasts: [500, 2000]) {
                "there is no route for \($0.duration.text) \($0.byteText) of \($0.requestText)"
            } lines: {
                $0.waiting(.outage(.noRoute), until: .later($0.duration))
            }
        case .noName:
            .init(.link, .reports, hasPlace: true, lasts: [500, 2000]) {
                "names are unknown for \($0.duration.text) \($0.byteText) of \($0.requestText)"
            } lines: {
                $0.waiting(.outage(.noName), until: .later($0.duration))
            }
        case .connectionsReset:
            .init(.link, .retries, traits: [.endsEarly], hasPlace: true) {
                "all connections are reset \($0.byteText) of \($0.requestText)"
            } lines: {
                $0.waiting(.cut)
            }
        case .startsSilent:
            // A lost lookup is retransmitted after five seconds.
            .init(.link, .reports, lasts: [500, 2000]) {
                "the link is silent for the first \($0.duration.text)"
            } lines: {
                [.link(.init(effect: .outage(.silent), after: .time(.zero), until: .later($0.duration)))]
            }
        case .startsRefused:
            .init(.link, .reports) { _ in
                "connections are refused from the start"
            } lines: { _ in
                [.link(.init(effect: .outage(.refused), after: .time(.zero)))]
            }
        case .killed:
            .init(.client, .retries, traits: [.endsEarly], hasPlace: true) {
                "the client is killed \($0.byteText) of \($0.requestText), and started again"
            } lines: {
                $0.waiting(.clientKilled)
            }
        case .deviceFull:
            .init(.client, .reports, hasPlace: true, needsDevice: true) {
                "the client's device has no room left \($0.byteText) of \($0.requestText)"
            } lines: {
                $0.waiting(.deviceFull)
            }
        }
    }
}
