import LinkModel

/// Reads the keys of a link's conditions, which ``LinkNotation`` writes; see docs/reference/profiles.md.
///
/// Absent keys leave the conditions of `base` unchanged.
enum LinkDecoder {
    /// The conditions of `base` with the changes in `fields`.
    static func read(_ fields: Fields, over base: LinkConditions) -> LinkConditions {
        var link = base
        link.downlink = direction(fields, "downlink", over: base.downlink)
        link.uplink = direction(fields, "uplink", over: base.uplink)
        if let delays = roundTrip(fields) { (link.downlink.delay, link.uplink.delay) = delays }
        if let dnsDelay = fields.value("dns-delay", .delay) { link.dnsDelay = dnsDelay }
        // RFC 791 requires every host to accept 576 bytes. The length field of an IP packet ends at 65,535.
        if let mtu = fields.value("mtu", .integer("a packet size in bytes, such as 1500", in: 576...65_535)) {
            link.mtu = mtu
        }
        if let offline = fields.value("offline", FieldDecoder<OfflineKind>.choice("an offline state")) {
            link.offline = offline
        }
        if isOnline(fields) { link.offline = nil }
        if let isHeld = fields.value("held", .flag) { link.isHeld = isHeld }
        for found in link.contradictions { fields.refuse(found.direction.rawValue, found.message, hint: found.hint) }
        return link
    }

    /// The two delays of a round trip: half each; the downlink gets an odd millisecond, as in WebPageTest's agent.
    static func halves(ofRoundTrip rtt: Duration) -> (downlink: Duration, uplink: Duration) {
        let nanoseconds = rtt.nanoseconds
        let unit: Int64 = nanoseconds % 1_000_000 == 0 ? 1_000_000 : 1
        let uplink = Duration.nanoseconds(nanoseconds / unit / 2 * unit)
        return (rtt - uplink, uplink)
    }

    private static func isOnline(_ fields: Fields) -> Bool {
        guard let isOnline = fields.value("online", .flag) else { return false }
        if !isOnline {
            let kinds = OfflineKind.allCases.map(\.rawValue).joined(separator: ", ")
            fields.refuse("online", "'online: false' does not say how", hint: "write 'offline:' and one of \(kinds)")
        } else if fields.keys.contains("offline") {
            fields.refuse("online", "a link cannot be online and offline at once", hint: "keep one of them")
        }
        return isOnline
    }

    private static func roundTrip(_ fields: Fields) -> (Duration, Duration)? {
        guard let rtt = fields.value("rtt", .delay) else { return nil }
        for direction in Direction.allCases {
            guard case .mapping(let entries)? = fields.node(direction.rawValue)?.content,
                let delay = entries.first(where: { $0.key == "delay" })
            else { continue }
            let message = "'delay' and 'rtt' both set the delay"
            fields.problems.add(message, at: delay.keyMark, hint: "give one-way delays, or one rtt to split in two")
        }
        return halves(ofRoundTrip: rtt)
    }

    private static func direction(_ fields: Fields, _ key: String, over base: Conditions) -> Conditions {
        fields.value(key, .mapping(key == "downlink" ? "a downlink" : "an uplink") { conditions($0, over: base) })
            ?? base
    }

    private static func conditions(_ fields: Fields, over base: Conditions) -> Conditions {
        var conditions = base
        if let rate = fields.value("rate", rate) { conditions.rate = rate }
        if let delay = fields.value("delay", .delay) { conditions.delay = delay }
        if let jitter = fields.value("jitter", jitter) { conditions.jitter = jitter.amount == .zero ? nil : jitter }
        if let loss = fields.value("loss", loss) { conditions.loss = loss == .random(.zero) ? nil : loss }
        if let duplicate = fields.value("duplicate", .share) { conditions.duplicate = duplicate }
        if let reorder = fields.value("reorder", .share) { conditions.reorder = reorder }
        if let corrupt = fields.value("corrupt", .share) { conditions.corrupt = corrupt }
        if let queue = fields.value("queue", queue) { conditions.queue = queue }
        return conditions
    }
}

extension LinkDecoder {
    private static var rate: FieldDecoder<BitRate?> {
        FieldDecoder<BitRate>.quantity("a rate such as 780 kbit/s, or unlimited").map(Optional.some)
            .or("unlimited", "no limit", nil)
    }

    /// `jitter: 10 ms`, or a mapping with the shape of the variation.
    private static var jitter: FieldDecoder<Jitter> {
        FieldDecoder<Jitter>.either(
            FieldDecoder<Duration>.delay.map { Jitter(amount: $0) },
            .mapping("a jitter") { fields in
                let distribution: Jitter.Distribution? = fields.value("distribution", .choice("a distribution"))
                guard let amount = fields.required("amount", .delay) else { return nil }
                return Jitter(amount: amount, distribution: distribution ?? .uniform)
            }
        )
    }

    /// `loss: 1 %` for single packets, or the four numbers of the Gilbert-Elliott model for bursts.
    private static var loss: FieldDecoder<Loss> {
        FieldDecoder<Loss>.either(
            FieldDecoder<Ratio>.share.map(Loss.random),
            .mapping("a burst loss") { fields in
                let goodToBad = fields.required("good-to-bad", .positiveShare)
                let badToGood = fields.required("bad-to-good", .positiveShare)
                let lossInBad = fields.value("loss-in-bad", .share) ?? .one
                let lossInGood = fields.value("loss-in-good", .share) ?? .zero
                guard let goodToBad, let badToGood else { return nil }
                return .gilbertElliott(
                    GilbertElliott(
                        goodToBad: goodToBad,
                        badToGood: badToGood,
                        lossInBad: lossInBad,
                        lossInGood: lossInGood
                    )
                )
            }
        )
    }

    private static var queue: FieldDecoder<QueueLimit?> {
        let expected = "a queue such as 64 KiB or 50 packets, or default"
        let pattern = TextPattern.whole(TextPattern.size, TextPattern.integer + " +packets?")
        let limit = FieldDecoder<QueueLimit>.scalar(expected, pattern: pattern) { text in
            do throws(UnitError) {
                return .value(try QueueLimit(parsing: text))
            } catch {
                return .wrong(text, not: expected, hint: error.reason)
            }
        }
        return limit.map(Optional.some).or("default", "the larger of 50 packets and the bandwidth-delay product", nil)
    }
}
