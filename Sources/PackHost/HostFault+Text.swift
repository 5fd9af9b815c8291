import LinkModel
package import PackFormat

extension HostFault {
    /// The fault in the notation of ``init(parsing:)``, which reads it back: `pack=level-2 try=1 cut@524288`.
    package var text: String {
        var words = pack == "*" ? [] : ["pack=\(FaultWord.quoted(pack))"]
        if let rangeStart { words.append("from=\(rangeStart)") }
        if let tries { words.append("try=\(tries.triesText)") }
        return (words + [action.text]).joined(separator: " ")
    }
}

extension HostFault.Action {
    /// The action without pack and tries: `cut@524288`.
    package var text: String {
        let (kind, arguments) = spelling
        let row = kind.row
        let name = row.value.map { kind.rawValue + $0.mark + $0.text(arguments.value) } ?? kind.rawValue
        let options = row.options.compactMap { option in
            arguments[option.name].map { option.values.word(named: option.name, $0) }
        }
        return ([name] + options).joined(separator: " ")
    }
}

extension HostFault.Values {
    /// The mark between a name and a value of this kind: `@` before places, else `=`.
    fileprivate var mark: String { if case .place = self { "@" } else { "=" } }

    /// An option as a word, with its name.
    fileprivate func word(named name: String, _ argument: HostFault.Argument) -> String {
        switch (self, argument) {
        case (.words, .text(let word)): word
        case (.retryAfter, .date(let delay)): "\(name)-date=\(delay.word)"
        case (_, let argument): name + mark + text(argument)
        }
    }

    fileprivate func text(_ argument: HostFault.Argument) -> String {
        switch self {
        case .httpStatus, .redirectStatus: "\(argument.number)"
        case .duration, .retryAfter: argument.duration.word
        case .place: argument.place.word
        case .speed: argument.bytes.bitRate
        case .difference: argument.bytes.signed
        case .count: "\(argument.bytes)"
        case .field, .text, .words: FaultWord.quoted(argument.text)
        }
    }
}

extension Int64 {
    fileprivate var signed: String { self < 0 ? "\(self)" : "+\(self)" }

    /// Bytes per second as a rate that reads back; for messages, also a speed that no host can keep.
    fileprivate var bitRate: String {
        let (bits, overflows) = multipliedReportingOverflow(by: 8)
        return bits > 0 && !overflows ? BitRate(bitsPerSecond: bits).text.filter { $0 != " " } : "\(self)B/s"
    }
}

extension ByteOffset {
    fileprivate var word: String {
        switch self {
        case .bytes(let count): "\(count)"
        case .fraction(let part):
            (part * 100).rounded() == part * 100 && part.magnitude <= 1 ? "\(Int(part * 100))%" : "\(part * 100)%"
        }
    }
}
