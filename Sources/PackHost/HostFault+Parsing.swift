import LinkModel
package import PackFormat

extension HostFault {
    /// Reads a fault: optional `pack=` and `try=`, one action, and the action's options, as words between spaces.
    ///
    /// ```
    /// pack=level-2 try=1 cut@512KiB rst        pack=* stall@40% for=5s        status=503 retry-after=2s
    /// ```
    /// A place is a number of bytes, a size with its unit, or a percentage of the full body. Without `pack=` the fault
    /// concerns every request, without `try=` each one for its pack; `try=2-4` and `try=2-` are ranges. docs/host.md
    /// lists all actions. Throws ``HostFaultSyntaxError``, also for values that no host could play.
    package init(parsing text: String) throws(HostFaultSyntaxError) {
        var reader = FaultReader(text, words: try FaultWord.words(of: text))
        let pack = try reader.take("pack")?.value ?? "*"
        let tries = try reader.tries()
        let action = try reader.action()
        try reader.expectEnd()
        self.init(pack: pack, tries: tries, action: action)
        if let reason = impossibility { throw HostFaultSyntaxError(text, at: action.text, reason: reason) }
    }

    /// Why no host can play this fault; nil where one can.
    package var impossibility: String? {
        if let tries, tries.lowerBound < 1 { return "tries are counted from 1" }
        switch action {
        case .status(let status, _) where !(200...599).contains(status):
            return "a status is a number from 200 to 599"
        case .status(_, .seconds(let seconds)?) where seconds < 0:
            return "Retry-After is not negative"
        case .redirect(_, let status) where !(300...399).contains(status):
            return "a redirect's status is a number from 300 to 399"
        case .redirect(let field, _) where !field.isFieldValue, .body(_, let field) where !field.isFieldValue:
            return "a value of a header field has no line breaks or other control characters, and is not empty"
        case .lateHead(let duration) where duration < .zero, .stall(_, let duration?) where duration < .zero,
            .status(_, .date(let duration)?) where duration < .zero:
            return "a duration is not negative"
        case .drip(let speed) where speed < 1:
            return "a drip is at least 1 byte, 8 bits, per second"
        case .cut(let offset, _) where !offset.isPlace, .stall(let offset, _) where !offset.isPlace,
            .corrupt(let offset) where !offset.isPlace:
            return "a place is not negative, and not beyond 100%"
        default:
            return nil
        }
    }
}

extension String {
    /// Whether this can be the value of a header field without changing what stands around it, RFC 9110 §5.5.
    fileprivate var isFieldValue: Bool {
        !isEmpty && unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
    }
}

extension ByteOffset {
    fileprivate var isPlace: Bool {
        switch self {
        case .bytes(let count): count >= 0
        case .fraction(let part): (0...1).contains(part)
        }
    }
}
