extension ScheduleWords {
    func connection(_ word: ScheduleWord?) throws(ScheduleLineError) -> FaultSchedule.Connection {
        guard let word else {
            throw ScheduleLineError(line, "the connection is missing", hint: "write conn=*, conn=3 or conn=/a.zip")
        }
        guard let value = word.value, !word.isPlace, let connection = ScheduleName.connection(named: value) else {
            throw ScheduleLineError(
                word.text, not: "a connection", hint: "write conn=* for all, conn=3 for the third, or conn=/a.zip")
        }
        return connection
    }

    func place(_ fields: inout ScheduleFields) throws(ScheduleLineError) -> FaultSchedule.Place {
        let word = try fields.one(of: ["off", "syn", "dns", "ack", "rst", "packet"], "the place", in: line)
        switch word.name {
        case "off":
            let offset = try word.number(in: 0...Self.largest)
            // The player keeps an entry for each slot of a long range.
            let most = Int64(FaultSchedule.mostLines) * LossProcess.slotBytes
            let length = try fields.take("len").map { word throws(ScheduleLineError) in try word.number(in: 0...most) }
            return .data(offset: offset, length: length)
        case "ack": return .acknowledgement(try word.number(in: 0...Self.largest))
        case "packet": return .ordinal(try word.number(in: 1...Self.largest))
        default: return try word.flag(["syn": .handshake, "dns": .lookup, "rst": .reset])
        }
    }

    func effect(_ fields: inout ScheduleFields) throws(ScheduleLineError) -> PacketEffect {
        let names = ["drop", "delay", "duplicate", "corrupt", "reorder", "stall", "cut"]
        let word = try fields.one(of: names, "the effect on the packet", in: line)
        switch word.name {
        case "delay", "stall":
            let time = try word.duration()
            guard LinkBounds.delay.contains(time) else {
                throw ScheduleLineError(word.text, "'\(word.text.quotation)' is out of range", hint: "the most is 1 h")
            }
            return word.name == "delay" ? .delay(time) : .stall(time)
        case "corrupt":
            guard let value = word.value else { return .corrupt(at: 0.5) }
            guard word.isPlace, value.utf8.count <= 32, let share = Double(value), (0..<1).contains(share) else {
                throw ScheduleLineError(
                    word.text, not: "a place in a packet", hint: "write corrupt@0.5 for its middle: 0 to less than 1")
            }
            return .corrupt(at: share)
        default: return try word.flag(["drop": .drop, "duplicate": .duplicate, "reorder": .reorder, "cut": .cut])
        }
    }

    func kind(_ word: ScheduleWord) throws(ScheduleLineError) -> OfflineKind {
        let names = OfflineKind.allCases.map(\.rawValue)
        guard let value = word.value, let kind = OfflineKind(rawValue: String(value)) else {
            throw ScheduleLineError(
                word.value ?? word.text, "'\(word.text.quotation)' is not a kind of offline", names: names)
        }
        return kind
    }

    func event(_ word: ScheduleWord) throws(ScheduleLineError) -> FaultSchedule.Event {
        let hint = "write 3s, down:1048576, conn3:down:1048576, pack:red:40%, progress+3 or callback+1"
        guard let value = word.value, !word.isPlace, let first = value.utf8.first else {
            throw ScheduleLineError(word.text, not: "a moment", hint: hint)
        }
        if value == "start" { return .time(.zero) }
        if first == UInt8(ascii: "+") { return .later(try ScheduleWord.duration(value.dropFirst(), in: word.text)) }
        if (0x30...0x39).contains(first) { return .time(try ScheduleWord.duration(value, in: word.text)) }
        for moment in FaultSchedule.ClientMoment.allCases where value.hasPrefix("\(moment.rawValue)+") {
            guard let count = Self.count(value.dropFirst(moment.rawValue.count + 1)), (1...1_000_000).contains(count)
            else {
                let what = moment == .progress ? "reports of progress" : "callbacks"
                throw ScheduleLineError(word.text, not: "a moment", hint: "\(what) are counted from 1")
            }
            return .client(moment, Int(count))
        }
        let parts = value.split(separator: ":", omittingEmptySubsequences: false)
        guard let event = parts.first == "pack" ? Self.packEvent(parts) : Self.bytesEvent(parts) else {
            throw ScheduleLineError(word.text, not: "a moment", hint: hint)
        }
        return event
    }

    private static func packEvent(_ parts: [Substring]) -> FaultSchedule.Event? {
        guard parts.count == 3, let pack = ScheduleName.decoded(parts[1]), !pack.isEmpty else { return nil }
        if parts[2].last == "%" {
            return (try? Ratio(parsing: String(parts[2].prefix(64)))).map { .packShare($0, pack: pack) }
        }
        return count(parts[2]).map { .packBytes($0, pack: pack) }
    }

    private static func bytesEvent(_ parts: [Substring]) -> FaultSchedule.Event? {
        var parts = parts
        var connection = FaultSchedule.Connection.any
        if parts.count == 3 {
            guard parts[0].hasPrefix("conn"), let named = ScheduleName.connection(named: parts[0].dropFirst(4)) else {
                return nil
            }
            connection = named
            parts.removeFirst()
        }
        guard parts.count == 2, let count = count(parts[1]) else { return nil }
        switch parts[0] {
        case "down": return .bytes(count, .downlink, connection: connection)
        case "up": return .bytes(count, .uplink, connection: connection)
        default: return nil
        }
    }

    private static func count(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(text),
            count <= largest
        else { return nil }
        return count
    }
}
