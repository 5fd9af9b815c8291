import LinkModel
import PackFormat

/// Reads the words of one fault, each at most once and in any order.
struct FaultReader {
    let text: String
    var words: [FaultWord]

    /// Removes and returns the word of this name, or nil; throws if the name occurs twice.
    mutating func take(_ name: String) throws(HostFaultSyntaxError) -> FaultWord? {
        guard let index = words.firstIndex(where: { $0.name == name }) else { return nil }
        let word = words.remove(at: index)
        if let second = words.first(where: { $0.name == name }) { throw error(second, "it is given twice") }
        return word
    }

    /// Throws if a word is left.
    func expectEnd() throws(HostFaultSyntaxError) {
        guard let word = words.first else { return }
        throw error(word, "the action has no option of this name; a fault has one action")
    }

    /// Reads `try=2`, `try=2-4` or `try=2-`; nil if there is none.
    mutating func tries() throws(HostFaultSyntaxError) -> ClosedRange<Int>? {
        guard let word = try take("try") else { return nil }
        guard let tries = ClosedRange(tries: word.value ?? "") else {
            throw error(
                word, "write a number from 1, or an ascending range such as 2-4 or 2-")
        }
        return tries
    }

    /// Reads `from=500000`, or `from=-500` for the last 500 bytes; nil if there is none.
    mutating func rangeStart() throws(HostFaultSyntaxError) -> Int64? {
        guard let word = try take("from") else { return nil }
        guard let start = word.value.flatMap({ Int64($0) }) else {
            throw error(word, "write the first byte of the range, such as 500000")
        }
        return start
    }

    /// Reads the one action and its options.
    mutating func action() throws(HostFaultSyntaxError) -> HostFault.Action {
        let named = words.compactMap { HostFault.Kind(rawValue: $0.name) }
        // An option of an action may have the name of another action.
        let options = Set(named.flatMap(\.row.options).map(\.name))
        guard
            let index = words.firstIndex(where: {
                HostFault.Kind(rawValue: $0.name) != nil && !options.contains($0.name)
            }),
            let kind = HostFault.Kind(rawValue: words[index].name)
        else {
            guard let word = words.first else {
                throw HostFaultSyntaxError(text: text, word: "", reason: "it has no action; write one such as cut@50%")
            }
            throw error(word, "the actions are \(HostFault.Kind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let word = words.remove(at: index)
        guard let values = kind.row.value else { return try flag(word, kind.row.make(.init())) }
        let value = try argument(values, word)
        var arguments: [String: HostFault.Argument] = [:]
        for option in kind.row.options { arguments[option.name] = try take(option) }
        return kind.row.make(.init(value, arguments))
    }

    private func error(_ word: FaultWord, _ reason: String) -> HostFaultSyntaxError {
        HostFaultSyntaxError(text: text, word: word.text, reason: reason)
    }

    /// Removes the words of an option, and returns its value; nil if there are none.
    private mutating func take(_ option: HostFault.Parameter) throws(HostFaultSyntaxError) -> HostFault.Argument? {
        switch option.values {
        case .words(_, let names):
            var found: String?
            for name in names {
                guard let word = try take(name) else { continue }
                if let found { throw error(word, "write \(found) or \(name), not both") }
                found = try flag(word, name)
            }
            return found.map { .text($0) }
        case .retryAfter:
            if let word = try take("\(option.name)-date") {
                return .date(after: try read(word, Duration.init(parsingSigned:)))
            }
            fallthrough
        case .httpStatus, .redirectStatus, .duration, .place, .speed, .difference, .count, .field, .text:
            guard let word = try take(option.name) else { return nil }
            return try argument(option.values, word)
        }
    }

    private func argument(
        _ values: HostFault.Values, _ word: FaultWord
    ) throws(HostFaultSyntaxError) -> HostFault.Argument {
        switch values {
        case .httpStatus, .redirectStatus: .number(Int(try whole(word)))
        case .duration: .duration(try read(word, Duration.init(parsing:)))
        case .retryAfter: .duration(try wholeSeconds(word))
        case .place: .place(try place(word))
        case .speed: .bytes(try read(word, BitRate.init(parsingBitsOrBytes:)).bitsPerSecond / 8)
        case .difference: .bytes(try difference(word))
        case .count: .bytes(try size(word))
        case .field, .text: .text(try value(word))
        case .words(let what, let names): .text(try one(of: names, what, word))
        }
    }

    private func wholeSeconds(_ word: FaultWord) throws(HostFaultSyntaxError) -> Duration {
        let delay = try read(word, Duration.init(parsing:))
        guard delay.components.attoseconds == 0 else { throw error(word, "Retry-After counts whole seconds") }
        return delay
    }

    private func value(_ word: FaultWord) throws(HostFaultSyntaxError) -> String {
        guard let value = word.value, !word.isPlace else { throw error(word, "write \(word.name)= and a value") }
        return value
    }

    private func one(of names: [String], _ what: String, _ word: FaultWord) throws(HostFaultSyntaxError) -> String {
        let name = try value(word)
        guard names.contains(name) else { throw error(word, "\(what) is \(names.joined(separator: ", "))") }
        return name
    }

    private func flag<Value>(_ word: FaultWord, _ value: Value) throws(HostFaultSyntaxError) -> Value {
        guard word.value == nil else { throw error(word, "\(word.name) takes no value") }
        return value
    }

    private func whole(_ word: FaultWord) throws(HostFaultSyntaxError) -> Int16 {
        guard let number = Int16(try value(word)) else { throw error(word, "write a number such as 503") }
        return number
    }

    private func difference(_ word: FaultWord) throws(HostFaultSyntaxError) -> Int64 {
        let text = try value(word)
        guard text.hasPrefix("+") || text.hasPrefix("-"), let number = Int64(text) else {
            throw error(word, "write a number of bytes with its sign, such as \(word.name)=+100")
        }
        return number
    }

    /// The value of `word` as `parse` reads it.
    private func read<Value>(
        _ word: FaultWord, _ parse: (String) throws(UnitError) -> Value
    ) throws(HostFaultSyntaxError) -> Value {
        let text = try value(word)
        do { return try parse(text) } catch { throw self.error(word, "\(error)") }
    }

    /// Bytes, or a size with its unit.
    private func size(_ word: FaultWord) throws(HostFaultSyntaxError) -> Int64 {
        if let count = Int64(try value(word)) { return count }
        return try read(word, ByteCount.init(parsing:)).bytes
    }

    /// Bytes, a size with its unit, or a percentage.
    private func place(_ word: FaultWord) throws(HostFaultSyntaxError) -> ByteOffset {
        guard word.isPlace, let text = word.value else {
            throw error(word, "write \(word.name)@ and a place such as 524288, 512KiB or 40%")
        }
        if let count = Int64(text) { return .bytes(count) }
        if text.hasSuffix("%") {
            guard let percent = Double(text.dropLast()) else { throw error(word, "write a percentage such as 40%") }
            return .fraction(percent / 100)
        }
        do { return .bytes(try ByteCount(parsing: text).bytes) } catch { throw self.error(word, "\(error)") }
    }
}
