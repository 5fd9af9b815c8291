/// A word of a schedule's line: `name`, `name=value` or `name@value`.
struct ScheduleWord {
    let text: Substring
    let name: Substring
    /// What follows `=` or `@`; nil if the word is only a name.
    let value: Substring?
    let isPlace: Bool

    init(_ text: Substring) {
        self.text = text
        let end = text.utf8.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }
        name = text[..<(end ?? text.endIndex)]
        value = end.map { text[text.utf8.index(after: $0)...] }
        isPlace = end.map { text.utf8[$0] == UInt8(ascii: "@") } ?? false
    }

    /// The value as a whole number in `range`; throws if it is not one.
    func number(in range: ClosedRange<Int64>) throws(ScheduleLineError) -> Int64 {
        guard let value, !isPlace, !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw ScheduleLineError(text, not: "a number", hint: "write \(name)= and a whole number")
        }
        guard let number = Int64(value), range.contains(number) else {
            throw ScheduleLineError(
                text, "'\(text.quotation)' is out of range",
                hint: "the range is \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The value as a range of requests: `try=3`, `try=3-5` or `try=3-`; throws if it is not one.
    func tries() throws(ScheduleLineError) -> ClosedRange<Int> {
        guard let value, !isPlace, let tries = ClosedRange(tries: value) else {
            let hint = "write \(name)=3, \(name)=3-5, or \(name)=3- for the third request and each later one"
            throw ScheduleLineError(text, not: "a number of 1 or more, or a range", hint: hint)
        }
        return tries
    }

    /// The value of 16 hexadecimal digits; throws if there are others.
    func hexadecimal() throws(ScheduleLineError) -> UInt64 {
        guard let value, !isPlace, value.utf8.count == 16, value.first != "+", let number = UInt64(value, radix: 16)
        else {
            throw ScheduleLineError(text, not: "a hash", hint: "write 16 hexadecimal digits")
        }
        return number
    }

    /// The value as a duration of up to 24 h; throws if it is not one.
    func duration() throws(ScheduleLineError) -> Duration { try Self.duration(value ?? "", in: text) }

    static func duration(_ value: Substring, in text: Substring) throws(ScheduleLineError) -> Duration {
        let duration: Duration
        do throws(UnitError) {
            duration = try Duration(parsing: String(value.prefix(64)))
        } catch {
            throw ScheduleLineError(text, not: "a duration such as 300ms", hint: error.reason)
        }
        guard LinkBounds.moment.contains(duration) else {
            throw ScheduleLineError(text, "'\(value.quotation)' is out of range", hint: "the most is 24 h")
        }
        return duration
    }

    /// Throws if a value follows the name.
    func flag() throws(ScheduleLineError) {
        guard value == nil else { throw ScheduleLineError(text, "'\(name.quotation)' takes no value") }
    }

    /// The meaning of its name, which is one of `meanings`; throws if a value follows it.
    func flag<Meaning>(_ meanings: [Substring: Meaning]) throws(ScheduleLineError) -> Meaning {
        try flag()
        guard let meaning = meanings[name] else { preconditionFailure("'\(name)' is none of the words here") }
        return meaning
    }
}

/// Words of a line that may come in any order, each once.
struct ScheduleFields {
    private var words: [ScheduleWord]

    init(_ words: [ScheduleWord]) { self.words = words }

    mutating func take(_ name: String) -> ScheduleWord? {
        words.firstIndex { $0.name == name }.map { words.remove(at: $0) }
    }

    /// Removes and returns the only word whose name is one of `names`; throws if there is none, or more than one.
    mutating func one(of names: [String], _ what: String, in line: Substring) throws(ScheduleLineError) -> ScheduleWord
    {
        let found = words.filter { names.contains(String($0.name)) }
        guard let first = found.first else {
            throw ScheduleLineError(line, "\(what) is missing", hint: "write one of \(names.joined(separator: ", "))")
        }
        if found.count > 1 {
            throw ScheduleLineError(
                found[1].text, "'\(found[1].name)' cannot be combined with '\(first.name)'", hint: "keep one of them")
        }
        words.removeAll { $0.name == first.name }
        return first
    }

    /// Throws if a word is left.
    func end(_ what: String) throws(ScheduleLineError) {
        guard let word = words.first else { return }
        throw ScheduleLineError(
            word.text, "'\(word.name.quotation)' cannot be combined with \(what)", hint: "leave it out")
    }
}
