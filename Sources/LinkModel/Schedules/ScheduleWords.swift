/// The words of one line of a schedule, separated by blanks.
struct ScheduleWords {
    let line: Substring
    private var rest: Substring

    init(_ line: Substring) {
        self.line = line
        rest = line
    }

    mutating func next() -> ScheduleWord? {
        skipBlanks()
        guard !rest.isEmpty else { return nil }
        let end = rest.utf8.firstIndex(where: Self.isBlank) ?? rest.endIndex
        defer { rest = rest[end...] }
        return ScheduleWord(rest[..<end])
    }

    /// The words that are left; throws if the name of one is not in `names`, or is repeated.
    mutating func fields(of what: String, _ names: [String]) throws(ScheduleLineError) -> ScheduleFields {
        var words: [ScheduleWord] = []
        while let word = next() {
            guard names.contains(where: { $0 == word.name }) else {
                throw ScheduleLineError(word.name, "there is no '\(word.name.quotation)' in \(what)", names: names)
            }
            if words.contains(where: { $0.name == word.name }) {
                throw ScheduleLineError(word.text, "'\(word.name)' is repeated", hint: "keep one of them")
            }
            words.append(word)
        }
        return ScheduleFields(words)
    }

    /// The rest of the line, without the blanks around it.
    mutating func remainder() -> Substring {
        skipBlanks()
        while let last = rest.utf8.last, Self.isBlank(last) { rest = Substring(rest.utf8.dropLast()) }
        return rest
    }

    private mutating func skipBlanks() { rest = Substring(rest.utf8.drop(while: Self.isBlank)) }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Reads what follows `L1`: `GET /packs/a.zip from=0 try=1 cut@524288`.
    mutating func hostFault() throws(ScheduleLineError) -> FaultSchedule.HostFaultLine {
        guard let method = next(), let path = next(), let from = next(), let attempt = next() else {
            throw ScheduleLineError(line, "the host fault is incomplete", hint: Self.hostExample)
        }
        guard method.text.utf8.count <= 32, method.text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw ScheduleLineError(method.text, not: "an HTTP method", hint: Self.hostExample)
        }
        guard path.text == "*" || path.text.first == "/", path.text.utf8.count <= ScheduleName.longest else {
            throw ScheduleLineError(path.text, not: "a path", hint: Self.hostExample)
        }
        guard from.name == "from", attempt.name == "try" else {
            throw ScheduleLineError(
                from.name == "from" ? attempt.text : from.text, "from= and try= follow the path",
                hint: Self.hostExample)
        }
        let start = try from.number(in: 0...Self.largest)
        let tries = try attempt.tries()
        let action = remainder()
        guard !action.isEmpty else { throw ScheduleLineError(line, "the fault is missing", hint: Self.hostExample) }
        return .init(
            method: String(method.text), path: String(path.text), from: start, tries: tries, action: String(action))
    }

    /// Reads what follows `L2`: `conn=3 down off=14480 len=1448 tx=1 drop`.
    mutating func packetFault() throws(ScheduleLineError) -> FaultSchedule.PacketFault {
        var fields = try fields(of: "a packet fault", Self.packetWords)
        let connection = try connection(fields.take("conn"))
        let way = try fields.one(of: ["down", "up"], "the direction", in: line)
        try way.flag()
        let place = try place(&fields)
        let times = fields.take("tx")
        let effect = try effect(&fields)
        try fields.end("this place and this effect")
        var fault = FaultSchedule.PacketFault(
            connection: connection, direction: way.name == "down" ? .downlink : .uplink, place: place, effect: effect)
        if !fault.hasTransmission {
            if let times {
                throw ScheduleLineError(times.text, "'tx' cannot be combined with a packet's number or a cut")
            }
            fault.transmission = nil
        } else if let times {
            fault.transmission = times.value == "*" ? nil : Int(try times.number(in: 1...1_000_000))
        }
        if case .cut = effect {
            guard case .data(_, nil) = place else {
                throw ScheduleLineError(line, "a cut happens at a byte", hint: "write off= without len=")
            }
        }
        return fault
    }

    /// Reads what follows `link`: `outage after=conn3:down:1048576 until=progress+3`.
    mutating func linkChange() throws(ScheduleLineError) -> FaultSchedule.LinkChange {
        var fields = try fields(of: "a 'link' line", ["outage", "profile", "cut", "kind", "after", "wait", "until"])
        let what = try fields.one(of: ["outage", "profile", "cut"], "the effect on the link", in: line)
        let effect: FaultSchedule.LinkChange.Effect
        switch what.name {
        case "outage":
            try what.flag()
            effect = .offline(try fields.take("kind").map(kind) ?? .silent)
        case "cut":
            try what.flag()
            effect = .cut
        default:
            guard let value = what.value, let name = ScheduleName.decoded(value), !name.isEmpty else {
                throw ScheduleLineError(what.text, not: "a profile", hint: "write profile= and its name")
            }
            effect = .profile(name)
        }
        return try change(effect, "a \(what.name)", at: &fields)
    }

    /// Reads what follows a subject that has one effect, such as `client`: `killed after=pack:red:40%`.
    mutating func change(
        _ effect: FaultSchedule.LinkChange.Effect, _ word: String, of subject: String
    ) throws(ScheduleLineError) -> FaultSchedule.LinkChange {
        var fields = try fields(of: "a '\(subject)' line", [word, "after", "wait"])
        try fields.one(of: [word], "the effect on the \(subject)", in: line).flag()
        return try change(effect, "a '\(subject)' line", at: &fields)
    }

    /// Reads when a change begins, and when it ends; `what` names it.
    private func change(
        _ effect: FaultSchedule.LinkChange.Effect, _ what: String, at fields: inout ScheduleFields
    ) throws(ScheduleLineError) -> FaultSchedule.LinkChange {
        guard let after = fields.take("after") else {
            throw ScheduleLineError(line, "'after' is missing", hint: "write after=3s, or after=down:1048576")
        }
        let wait = try fields.take("wait").map { word throws(ScheduleLineError) in try word.duration() } ?? .zero
        let until = fields.take("until")
        try fields.end(what)
        if let until, case .cut = effect {
            throw ScheduleLineError(until.text, "'until' cannot be combined with a cut")
        }
        let change = FaultSchedule.LinkChange(
            effect: effect, after: try event(after), wait: wait,
            until: try until.map { word throws(ScheduleLineError) in try event(word) })
        if case .later = change.after {
            throw ScheduleLineError(after.text, "'after' cannot be relative", hint: "remove the +")
        }
        if let until, case .time(let start) = change.after, case .time(let end) = change.until, end <= start + wait {
            throw ScheduleLineError(until.text, "it ends before it begins", hint: "write until=+5s to end it 5 s later")
        }
        return change
    }

    static let packetWords = [
        "conn", "down", "up", "off", "len", "syn", "dns", "ack", "rst", "packet", "tx", "drop", "delay", "duplicate",
        "corrupt", "reorder", "stall", "cut",
    ]
    static let hostExample = "write for example L1 GET /packs/a.zip from=0 try=1 cut@524288"
    static let largest: Int64 = 1 << 60
}
