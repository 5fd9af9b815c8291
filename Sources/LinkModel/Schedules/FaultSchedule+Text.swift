extension FaultSchedule {
    /// The whole text: the header, then one line a fault.
    ///
    /// Lines of acknowledgements come last, because they follow from timing.
    package var text: String {
        let apart = lines.filter(\.isAcknowledgement)
        let others = lines.filter { !$0.isAcknowledgement }.map(\.text)
        let heading = apart.isEmpty ? [] : ["# Packets without data: they follow from timing, and seldom matter."]
        return ([header] + others + heading + apart.map(\.text)).map { $0 + "\n" }.joined()
    }

    /// The first line: `schedule version=1 seed=7 profile=0123456789abcdef hash=fedcba9876543210`.
    package var header: String {
        var words = ["schedule", "version=\(Self.version)"]
        if let seed { words.append("seed=\(seed)") }
        if let profile { words.append("profile=\(profile.hexadecimal)") }
        words.append("hash=\(digest)")
        if omitted > 0 { words.append("omitted=\(omitted)") }
        return words.joined(separator: " ")
    }

    /// A hash of the lines in any order, the same on every machine: 16 hexadecimal digits.
    ///
    /// The rest of the header is not part of it.
    package var digest: String {
        // A sum does not depend on the order, and unlike XOR it counts repeated lines.
        let sum = lines.reduce(UInt64(0)) { $0 &+ SipHash.hash(key0: 0, key1: 1, bytes: Array($1.text.utf8)) }
        var hash = SipHash(key0: 0, key1: 2)
        hash.combine(UInt64(lines.count))
        hash.combine(sum)
        return hash.finish().hexadecimal
    }
}

extension FaultSchedule.Line {
    /// Whether it names an acknowledgement, or another packet without data (`len=0`).
    package var isAcknowledgement: Bool {
        guard case .packet(let fault) = self else { return false }
        switch fault.place {
        case .acknowledgement, .data(_, 0?): return true
        case .data, .handshake, .lookup, .reset, .ordinal: return false
        }
    }

    /// The line in the notation of schedules.
    package var text: String {
        switch self {
        case .host(let fault): fault.text
        case .packet(let fault): fault.text
        case .link(let change): change.text
        }
    }
}

extension FaultSchedule.HostFaultLine {
    package var text: String { "L1 \(method) \(path) from=\(from) try=\(tries.triesText) \(action)" }

    /// Reads a fault as a host reports it: `L1 GET /packs/a.zip from=0 try=1 cut@524288`; nil if the text is not one.
    package init?(text: String) {
        guard let lines = try? FaultSchedule(parsing: Self.onOneLine(text)).lines, lines.count == 1,
            case .host(let fault)? = lines.first
        else { return nil }
        self = fault
    }

    /// The action as the host wrote it, with its control characters.
    package var hostAction: String {
        guard action.contains("\\u{") else { return action }
        return ControlCharacters.decoded(action)
    }

    static func onOneLine(_ action: String) -> String { ControlCharacters.encoded(action) }
}

extension FaultSchedule.PacketFault {
    package var text: String {
        var words = ["L2", "conn=\(connection.text)", direction.word]
        switch place {
        case .data(let offset, let length):
            words.append("off=\(offset)")
            if let length { words.append("len=\(length)") }
        case .handshake: words.append("syn")
        case .lookup: words.append("dns")
        case .acknowledgement(let number): words.append("ack=\(number)")
        case .reset: words.append("rst")
        case .ordinal(let number): words.append("packet=\(number)")
        }
        if hasTransmission { words.append(transmission.map { "tx=\($0)" } ?? "tx=*") }
        words.append(effect.text)
        return words.joined(separator: " ")
    }

    /// Whether its transmission matters: a packet with a number and the end of a connection come only once.
    var hasTransmission: Bool {
        if case .ordinal = place { return false }
        return effect != .cut
    }
}

extension PacketEffect {
    package var text: String {
        switch self {
        case .drop: "drop"
        case .delay(let time): "delay=\(time.word)"
        case .duplicate: "duplicate"
        case .corrupt(let share): "corrupt@\(share)"
        case .reorder: "reorder"
        case .stall(let time): "stall=\(time.word)"
        case .cut: "cut"
        }
    }
}

extension FaultSchedule.LinkChange {
    package var text: String {
        let what =
            switch effect {
            case .offline(let kind): "link outage kind=\(kind.rawValue)"
            case .profile(let name): "link profile=\(ScheduleName.encoded(name))"
            case .cut: "link cut"
            case .clientKilled: "client killed"
            case .deviceFull: "device full"
            }
        let wait = wait > .zero ? " wait=\(wait.word)" : ""
        return "\(what) after=\(after.text)\(wait)" + (until.map { " until=\($0.text)" } ?? "")
    }
}

extension FaultSchedule.Event {
    package var text: String {
        switch self {
        case .time(let time): time.word
        case .later(let time): "+\(time.word)"
        case .bytes(let count, let direction, .any): "\(direction.word):\(count)"
        case .bytes(let count, let direction, let connection): "conn\(connection.text):\(direction.word):\(count)"
        case .packBytes(let count, let pack): "pack:\(ScheduleName.encoded(pack)):\(count)"
        case .packShare(let share, let pack): "pack:\(ScheduleName.encoded(pack)):\(share.text.filter { $0 != " " })"
        case .client(let moment, let count): "\(moment.rawValue)+\(count)"
        }
    }
}

extension FaultSchedule.Connection {
    /// `*`, `3` for the third accepted connection, or a name.
    package var text: String {
        switch self {
        case .any: "*"
        case .named(let name): ScheduleName.connection(name)
        }
    }
}

extension Direction {
    /// The direction's name in schedules.
    package var word: String { self == .downlink ? "down" : "up" }
}

extension UInt64 {
    /// 16 hexadecimal digits.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
