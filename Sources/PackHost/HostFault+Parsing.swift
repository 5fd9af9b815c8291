import LinkModel
package import PackFormat

extension HostFault {
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
        var reader = FaultReader(text, words: words)
        let pack = try reader.take("pack")?.value ?? "*"
        let rangeStart = try reader.rangeStart()
        let tries = try reader.tries()
        let action = try reader.action()
        try reader.expectEnd()
        self.init(pack: pack, tries: tries, rangeStart: rangeStart, action: action)
        if let reason = impossibility { throw HostFaultSyntaxError(text, at: action.text, reason: reason) }
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

    init(_ text: String, at word: String, reason: String) {
        (self.text, self.word, self.reason) = (text, word, reason)
    }

    package var description: String {
        "Could not read the fault '\(text)' at '\(word)': \(reason)."
    }
}
