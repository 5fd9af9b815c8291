import LinkModel
import PackFormat

/// Reads the words of one fault, each of them once and in any order.
struct FaultReader {
    private static let actions = [
        "status", "redirect", "late-head", "no-head", "cut", "stall", "drip", "corrupt", "length", "ignore-range",
        "range", "new-etag", "new-content", "new-size", "body", "portal",
    ]
    /// As scenarios call them.
    private static let aliases = [
        "wrong-length": "length", "wrong-range": "range", "changed-etag": "new-etag",
        "changed-content": "new-content", "changed-size": "new-size",
    ]

    private let text: String
    private var words: [FaultWord]

    init(_ text: String, words: [FaultWord]) {
        self.text = text
        self.words = words.map { $0.renamed(by: Self.aliases) }
    }

    /// Takes the word of this name out of those that are left; throws where it stands twice.
    mutating func take(_ name: String) throws(HostFaultSyntaxError) -> FaultWord? {
        guard let index = words.firstIndex(where: { $0.name == name }) else { return nil }
        let word = words.remove(at: index)
        if let second = words.first(where: { $0.name == name }) { throw error(second, "it stands twice") }
        return word
    }

    /// Throws where a word is left.
    func expectEnd() throws(HostFaultSyntaxError) {
        guard let word = words.first else { return }
        throw error(word, "nothing of this name belongs to the action; one fault has one action")
    }

    /// `try=2`, `try=2-4` or `try=2-`.
    mutating func tries() throws(HostFaultSyntaxError) -> ClosedRange<Int>? {
        guard let word = try take("try") else { return nil }
        let ends = (word.value ?? "").split(separator: "-", omittingEmptySubsequences: false)
        guard (1...2).contains(ends.count), let first = Int(ends[0]), first >= 1 else {
            throw error(word, "write a number from 1 on, or a range such as 2-4 or 2-")
        }
        let last = ends.count == 1 ? first : ends[1].isEmpty ? Int.max : Int(ends[1]) ?? 0
        guard first <= last else { throw error(word, "the range ends before it begins, or its end is no number") }
        return first...last
    }

    /// The one action and its options.
    mutating func action() throws(HostFaultSyntaxError) -> HostFault.Action {
        // `status` is an action of its own and an option of a redirect.
        let isRedirect = words.contains { $0.name == "redirect" }
        guard
            let index = words.firstIndex(where: {
                Self.actions.contains($0.name) && !(isRedirect && $0.name == "status")
            })
        else {
            guard let word = words.first else {
                throw HostFaultSyntaxError(text, at: "", reason: "it has no action; write one such as cut@50%")
            }
            throw error(word, "the actions are \(Self.actions.joined(separator: ", "))")
        }
        let word = words.remove(at: index)
        switch word.name {
        case "status": return .status(Int(try whole(word)), retryAfter: try retryAfter())
        case "redirect": return .redirect(to: try value(word), status: Int(try take("status").map(whole) ?? 302))
        case "late-head": return .lateHead(try duration(word))
        case "no-head": return try flag(word, .never)
        case "cut": return .cut(at: try place(word), how: try cut())
        case "stall": return .stall(at: try place(word), for: try take("for").map(duration))
        case "drip": return .drip(bytesPerSecond: try speed(word))
        case "corrupt": return .corrupt(at: try place(word))
        case "length": return .wrongLength(by: try difference(word))
        case "ignore-range": return try flag(word, .ignoreRange)
        case "range": return .wrongRange(by: try difference(word))
        case "new-etag": return try flag(word, .changedETag)
        case "new-content": return .changedContent(by: try difference(word))
        case "new-size": return .changedSize(by: try difference(word))
        case "portal": return .portal(try value(word))
        default: return .body(try value(word), contentType: try take("type").map(value) ?? "text/html")
        }
    }

    private func error(_ word: FaultWord, _ reason: String) -> HostFaultSyntaxError {
        HostFaultSyntaxError(text, at: word.text, reason: reason)
    }
}

extension FaultReader {
    private mutating func cut() throws(HostFaultSyntaxError) -> HostFault.Cut {
        let (fin, rst) = (try take("fin"), try take("rst"))
        if let fin { _ = try flag(fin, HostFault.Cut.fin) }
        guard let rst else { return .fin }
        guard fin == nil else { throw error(rst, "a cut is by fin or by rst, not by both") }
        return try flag(rst, .rst)
    }

    private mutating func retryAfter() throws(HostFaultSyntaxError) -> HostFault.RetryAfter? {
        if let word = try take("retry-after-date") { return .date(after: try duration(word)) }
        guard let word = try take("retry-after") else { return nil }
        let delay = try duration(word)
        guard delay.components.attoseconds == 0 else { throw error(word, "Retry-After counts whole seconds") }
        return .seconds(delay.components.seconds)
    }

    private func value(_ word: FaultWord) throws(HostFaultSyntaxError) -> String {
        guard let value = word.value, !word.isPlace else { throw error(word, "write \(word.name)= and a value") }
        return value
    }

    private func flag<Value>(_ word: FaultWord, _ value: Value) throws(HostFaultSyntaxError) -> Value {
        guard word.value == nil else { throw error(word, "\(word.name) has no value") }
        return value
    }

    private func whole(_ word: FaultWord) throws(HostFaultSyntaxError) -> Int16 {
        guard let number = Int16(try value(word)) else { throw error(word, "write a number such as 503") }
        return number
    }

    private func difference(_ word: FaultWord) throws(HostFaultSyntaxError) -> Int64 {
        let text = try value(word)
        guard text.hasPrefix("+") || text.hasPrefix("-"), let number = Int64(text) else {
            throw error(word, "write a difference in bytes with its sign, such as \(word.name)=+100")
        }
        return number
    }

    private func duration(_ word: FaultWord) throws(HostFaultSyntaxError) -> Duration {
        let text = try value(word)
        do { return try Duration(parsing: text) } catch { throw self.error(word, "\(error)") }
    }

    private func speed(_ word: FaultWord) throws(HostFaultSyntaxError) -> Int64 {
        let text = try value(word)
        do { return try BitRate(parsingBitsOrBytes: text).bitsPerSecond / 8 } catch {
            throw self.error(word, "\(error)")
        }
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
