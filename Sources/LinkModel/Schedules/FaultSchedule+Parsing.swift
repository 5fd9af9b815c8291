extension FaultSchedule {
    /// Reads a schedule: an optional header, then one fault a line; `#` begins a line for people.
    ///
    /// Throws all problems, 100 at most, each with its place. A hash in the header that is not that of the lines is a
    /// problem too.
    package init(parsing text: String) throws(FaultScheduleError) {
        self = try Self.read(text).schedule
    }

    /// Reads a schedule; `numbers` has the line of the text that each of its lines is in, counted from 1.
    ///
    /// Throws as ``init(parsing:)`` does.
    package static func read(_ text: String) throws(FaultScheduleError) -> (schedule: FaultSchedule, numbers: [Int]) {
        var parser = ScheduleParser()
        let schedule = parser.parse(text)
        if let error = parser.error { throw error }
        return (schedule, parser.numbers)
    }
}

/// Reads the lines of a schedule, and continues after wrong ones.
private struct ScheduleParser {
    private var problems: [FaultScheduleError.Problem] = []
    private var schedule = FaultSchedule()
    /// The line of the text that each line of the schedule is in.
    private(set) var numbers: [Int] = []
    private var hasHeader = false
    /// The number of slots that the faults name, because each is looked for in every packet of its place.
    private var slots: Int64 = 0
    private var hash: (word: Substring, line: Int, start: Substring)?

    var error: FaultScheduleError? { problems.isEmpty ? nil : FaultScheduleError(problems: problems) }

    mutating func parse(_ text: String) -> FaultSchedule {
        guard text.utf8.count <= FaultSchedule.mostBytes else {
            let message = "the schedule has \(text.utf8.count) bytes; the maximum is \(FaultSchedule.mostBytes)"
            problems.append(.init(line: 1, column: 1, message: message, hint: nil, word: nil, names: []))
            return schedule
        }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() where problems.count < FaultScheduleError.mostProblems {
            var line = Substring(bytes)
            if line.utf8.last == UInt8(ascii: "\r") { line = Substring(line.utf8.dropLast()) }
            do throws(ScheduleLineError) {
                try read(line, number: index + 1)
            } catch {
                note(error, line: index + 1, of: line)
                if schedule.lines.count >= FaultSchedule.mostLines { break }
            }
        }
        checkHash()
        return schedule
    }

    private mutating func read(_ line: Substring, number: Int) throws(ScheduleLineError) {
        guard line.utf8.count <= Self.longestLine else {
            throw ScheduleLineError(line, "the line has more than \(Self.longestLine) bytes")
        }
        if let control = line.unicodeScalars.firstIndex(where: { ControlCharacters.isControl($0) && $0 != "\t" }) {
            throw ScheduleLineError(line[control...], "this character is not allowed in a schedule")
        }
        var words = ScheduleWords(line)
        guard let first = words.next(), first.text.first != "#" else { return }
        guard schedule.lines.count < FaultSchedule.mostLines else {
            throw ScheduleLineError(first.text, "there are more than \(FaultSchedule.mostLines) faults")
        }
        defer { if schedule.lines.count > numbers.count { numbers.append(number) } }
        switch first.text {
        case "L1": schedule.lines.append(.host(try words.hostFault()))
        case "L2": schedule.lines.append(.packet(try counted(try words.packetFault(), line)))
        case "link": schedule.lines.append(.link(try words.linkChange()))
        case "client": schedule.lines.append(.link(try words.change(.clientKilled, "killed", of: "client")))
        case "device": schedule.lines.append(.link(try words.change(.deviceFull, "full", of: "device")))
        case "schedule": try header(&words, number: number, line)
        default:
            let message = "a line of a schedule cannot begin with '\(first.text.quotation)'"
            throw ScheduleLineError(first.text, message, names: ["L1", "L2", "link", "client", "device", "schedule"])
        }
    }

    private mutating func counted(
        _ fault: FaultSchedule.PacketFault, _ line: Substring
    ) throws(ScheduleLineError) -> FaultSchedule.PacketFault {
        slots += fault.slots
        guard slots <= FaultSchedule.mostSlots else {
            throw ScheduleLineError(
                line,
                "the faults cover more than \(FaultSchedule.mostSlots) slots of \(LossProcess.slotBytes) bytes",
                hint: "make 'len' smaller, or use the profile's loss")
        }
        return fault
    }

    private mutating func header(
        _ words: inout ScheduleWords, number: Int, _ line: Substring
    ) throws(ScheduleLineError) {
        guard !hasHeader, schedule.lines.isEmpty else {
            throw ScheduleLineError(line, "the header comes after other lines", hint: "move it to the first line")
        }
        hasHeader = true
        var fields = try words.fields(of: "a header", ["version", "seed", "profile", "hash", "omitted"])
        guard let version = fields.take("version") else {
            throw ScheduleLineError(line, "the header has no version", hint: "write version=1")
        }
        guard try version.number(in: 0...Int64.max) == Int64(FaultSchedule.version) else {
            throw ScheduleLineError(
                version.text, "this Headwind reads version \(FaultSchedule.version) of schedules",
                hint: "use a later Headwind")
        }
        if let seed = fields.take("seed") {
            guard let value = seed.value, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt64(value)
            else { throw ScheduleLineError(seed.text, not: "a seed", hint: "write seed= and a whole number") }
            schedule.seed = number
        }
        if let profile = fields.take("profile") { schedule.profile = try profile.hexadecimal() }
        if let omitted = fields.take("omitted") { schedule.omitted = Int(try omitted.number(in: 0...1 << 40)) }
        if let hash = fields.take("hash") {
            _ = try hash.hexadecimal()
            self.hash = (hash.text, number, line)
        }
    }

    private mutating func checkHash() {
        guard problems.isEmpty, let (word, number, line) = hash else { return }
        let digest = schedule.digest
        guard word.dropFirst("hash=".count).lowercased() != digest else { return }
        let error = ScheduleLineError(
            word, "the hash does not match the lines, whose hash is \(digest)",
            hint: "if you changed them on purpose, remove 'hash'")
        note(error, line: number, of: line)
    }

    private mutating func note(_ error: ScheduleLineError, line number: Int, of line: Substring) {
        let before = line[line.startIndex..<max(line.startIndex, min(error.place.startIndex, line.endIndex))]
        problems.append(
            .init(
                line: number, column: before.unicodeScalars.count + 1, message: error.message, hint: error.hint,
                word: error.word, names: error.names))
    }

    private static let longestLine = 16_384
}
