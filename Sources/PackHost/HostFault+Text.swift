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

    /// Reads a fault: optional `pack=`, `from=` and `try=`, one action, and its options, as words between spaces.
    ///
    /// ```
    /// pack=level-2 try=1 cut@512KiB rst        pack=* stall@40% for=5s        status=503 retry-after=2s
    /// ```
    /// A place is a number of bytes, a size with its unit, or a percentage of the full body. Without `pack=`, the fault
    /// concerns every request. Without `try=`, it concerns each request for its pack; `try=2-4` and `try=2-` are
    /// ranges. With `from=500000`, it concerns only requests for a range that begins at this byte, and `try=` counts
    /// those. docs/reference/host.md lists all actions. Throws ``HostFaultSyntaxError``, also for values that no host
    /// can play.
    package init(parsing text: String) throws(HostFaultSyntaxError) {
        try self.init(text, try FaultWord.words(of: text))
    }

    /// Reads the fault of a schedule's line like ``init(parsing:)``, but also accepts the earlier names of five
    /// actions.
    package init(scheduled text: String) throws(HostFaultSyntaxError) {
        try self.init(text, try FaultWord.words(of: text).map(\.renamed))
    }

    private init(_ text: String, _ words: [FaultWord]) throws(HostFaultSyntaxError) {
        var reader = FaultReader(text: text, words: words)
        let pack = try reader.take("pack")?.value ?? "*"
        let rangeStart = try reader.rangeStart()
        let tries = try reader.tries()
        let action = try reader.action()
        try reader.expectEnd()
        self.init(pack: pack, tries: tries, rangeStart: rangeStart, action: action)
        if let reason = impossibility { throw HostFaultSyntaxError(text: text, word: action.text, reason: reason) }
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

/// Why a text is not a fault.
package struct HostFaultSyntaxError: Error, Hashable, CustomStringConvertible {
    /// The whole text.
    package let text: String
    /// The word that is wrong.
    package let word: String
    /// What is wrong with it, and what to write.
    package let reason: String

    package var description: String {
        "Could not read the fault '\(text)' at '\(word)': \(reason)."
    }
}
