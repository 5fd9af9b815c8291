import LinkModel
import Results
import Wording

/// Reads the expectations on a client's conduct, which are next to the outcomes under `expect`.
struct ConductDecoder {
    /// nil if the workload itself is wrong.
    let workload: Workload?

    /// The expectations in the order of the table of words; wrong ones are noted as problems.
    func read(_ fields: Fields) -> [ConductExpectation] {
        ConductExpectation.Word.allCases.compactMap { word in
            let expectation = fields.value(word.rawValue, decoder(word))
            if fields.keys.contains(word.rawValue), let (problem, hint) = misfit(word, expectation) {
                fields.refuse(word.rawValue, problem, hint: hint)
                return nil
            }
            return expectation
        }
    }

    private func decoder(_ word: ConductExpectation.Word) -> FieldDecoder<ConductExpectation> {
        switch word {
        case .callback: Self.only("once").map { _ in .callbackOnce }
        case .ends: Self.only("balanced").map { _ in .endsBalanced }
        case .notification:
            FieldDecoder<String>.word("low-space or none", in: ["low-space", "none"]).map {
                .notification(isPosted: $0 == "low-space")
            }
        case .stored: Self.stored.map { .stored($0) }
        case .purged: Self.stored.map { .purged($0) }
        case .kept: Self.packs.map { .kept($0) }
        case .refetched: FieldDecoder<ByteCount>.size.map { .refetched(mostBytes: $0.bytes) }
        case .retries: Self.count.map { .retries($0) }
        case .backOff: FieldDecoder<Duration>.positiveDuration.map { .backOff(leastSeconds: $0.seconds) }
        case .afterCancel: Self.only("nothing").map { _ in .afterCancelNothing }
        case .order: order.map { .order($0) }
        case .output: Self.pattern.map { .output($0) }
        case .oracle: Self.oracle.map { .oracle($0) }
        case .keeps:
            FieldDecoder.list(
                "a list of files that exist before, such as [other-file]",
                of: FieldDecoder<ConductRecord.Before.Kind>.choice("a file that exists before")
            ).map { .keeps($0) }
        case .leftovers: Self.only("none").map { _ in .leavesNothing }
        }
    }

    private static func only(_ text: String) -> FieldDecoder<String> { .word("'\(text)'", in: [text]) }

    private static var packs: FieldDecoder<[String]> {
        .list("a list of packs, such as [red, circle]", of: FieldDecoder<String>.packName)
    }

    private static var stored: FieldDecoder<[String]> {
        FieldDecoder.list("a list of packs, such as [red, circle], or none", of: FieldDecoder<String>.packName)
            .or("none", "none", [])
    }

    /// `2`, or `1-3`.
    private static var count: FieldDecoder<ClosedRange<Int>> {
        let expected = "a number of retries, such as 2 or 1-3"
        return .scalar(expected, pattern: "^[0-9 ]+(-[0-9 ]+)?$") { text in
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { part -> Int? in
                let digits = part.filter { $0 != " " }
                return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
            }
            guard numbers.count == parts.count, (1...2).contains(numbers.count), let least = numbers.first,
                let most = numbers.last
            else { return .wrong(text, not: expected) }
            guard least <= most else { return .wrong(text, not: expected, hint: "write the smaller number first") }
            guard most <= 1_000_000 else { return .wrong(text, not: expected, hint: "the most is 1000000") }
            return .value(least...most)
        }
    }

    /// Names of requests, each at most once.
    private var order: FieldDecoder<[String]> {
        let expected = "a list of requests, such as [a, b]"
        let names = workload?.names
        let name = FieldDecoder<String>.scalar("the name of a request") { text in
            guard let names, !names.contains(text) else { return .value(text) }
            let hint = NearestName.hint(for: text, in: names) ?? "there are \(names.prefix(20).joined(separator: ", "))"
            return .wrong("there is no request '\(text.abbreviated)'", hint: hint)
        }
        return FieldDecoder.list(expected, of: name).then { ids, node, problems in
            guard ids.count > 1, Set(ids).count == ids.count else {
                let what = ids.count > 1 ? "a request is listed twice" : "one request has no order"
                return problems.refuse(what, at: node.mark, hint: "name two or more, each once")
            }
            return ids
        }
    }

    private static var pattern: FieldDecoder<String> {
        let expected = "a regular expression, such as 'timed? out'"
        return .scalar(expected, upTo: CommandDecoder.longestPattern) { text in
            guard !text.isEmpty else { return .wrong("this pattern is empty, and matches every line", hint: nil) }
            do {
                _ = try Regex(text)
                return .value(text)
            } catch {
                return .wrong(text, not: expected, hint: "\(error)")
            }
        }
    }

    private static var oracle: FieldDecoder<String> {
        .scalar("a shell command, such as 'cmp data.bin expected.bin'", upTo: longestOracle) { text in
            guard text.contains(where: { !$0.isWhitespace }) else {
                return .wrong("this command is empty, and accepts everything", hint: nil)
            }
            return .value(text)
        }
    }

    private static let longestOracle = 4096

    /// Whether the workload is a command that must leave a pack; true if the workload is unknown.
    private var isOfPack: Bool {
        switch workload {
        case .command(let command)?: command.pack != nil
        case .requests?: false
        case nil: true
        }
    }

    /// Why a word does not apply to this workload; nil if it does.
    private func misfit(
        _ word: ConductExpectation.Word, _ expectation: ConductExpectation?
    ) -> (problem: String, hint: String)? {
        if case .keeps(let kinds)? = expectation, let kind = kinds.first(where: \.isAtOutput), !isOfPack {
            return (
                "'\(kind.rawValue)' is for commands that have a pack",
                "it is at the path where the command writes the pack"
            )
        }
        return switch (word, workload) {
        case (.output, .requests?), (.oracle, .requests?):
            ("'\(word.rawValue)' is for commands", "the built-in client reports events instead")
        case (.callback, .command?), (.ends, .command?), (.notification, .command?), (.stored, .command?),
            (.purged, .command?), (.kept, .command?),
            (.afterCancel, .command?), (.order, .command?):
            (
                "'\(word.rawValue)' is for requests of the built-in client",
                "a command has 'exit', 'files', 'output', 'oracle', 'refetched', 'retries', 'back-off', 'keeps' and 'leftovers'"
            )
        case (.ends, .requests(let steps)?) where !steps.contains(where: { if case .end = $0 { true } else { false } }):
            ("no step ends a request", "add a step such as 'end: r1'")
        case (.afterCancel, .requests(let steps)?)
        where !steps.contains(where: { if case .cancel = $0 { true } else { false } }):
            ("no step cancels a request", "add a step such as 'cancel: r1 after 40 %'")
        default: nil
        }
    }
}
