import Documents
import LinkModel
import Wording

/// Reads steps in their order; each may refer to requests of earlier steps.
struct StepReader {
    let context: ScenarioContext
    /// All requests so far.
    private var requests: [Workload.Request] = []
    private var number = 0
    /// Conditional requests that a step has begun since.
    private var begun: Set<String> = []
    /// The state of the app's life.
    var life = LifeOrder()

    init(context: ScenarioContext) { self.context = context }

    mutating func step(_ node: YAMLNode, _ problems: Problems) -> Workload.Step? {
        let step = read(node, problems)
        if let step, let problem = life.take(step) {
            return problems.refuse(problem.message, at: node.mark, hint: problem.hint)
        }
        return step
    }

    private mutating func read(_ node: YAMLNode, _ problems: Problems) -> Workload.Step? {
        if case .text(let word, _) = node.content { return Self.word(word, node, problems) }
        guard let fields = Fields(node, of: "a step", problems) else { return nil }
        let step = step(of: fields)
        return fields.close() ? step : nil
    }

    /// The schema of a step.
    static func schema(_ context: ScenarioContext) -> JSONTree {
        let mapping = Fields.schema(of: "a step") { fields in
            var reader = StepReader(context: context)
            _ = reader.step(of: fields)
        }
        return SchemaNode.any([SchemaNode.word("a step of an app's life", words), mapping])
    }

    private mutating func step(of fields: Fields) -> Workload.Step? {
        // A step with a second kind is wrong, and begins no request.
        if fields.keys.filter(Self.kinds.contains) == ["request"] { number += 1 }
        let step = fields.oneOf(choices + furtherChoices, keys: Self.kinds)
        if case .request(let request)? = step { requests.append(request) }
        if case .begin(let id)? = step { begun.insert(id) }
        return step
    }

    /// The steps that concern a request or only take time, by their keys.
    private var choices: [(String, FieldDecoder<Workload.Step>)] {
        [
            ("request", request.map(Workload.Step.request)),
            ("begin", asked.map(Workload.Step.begin)),
            ("end", earlier(inBackground: false).map(Workload.Step.end)),
            ("cancel", moment(to: "cancel") { .cancel($0, after: $1) }),
            ("pause", moment(to: "pause") { .pause($0, after: $1) }),
            ("resume", earlier(inBackground: true).map(Workload.Step.resume)),
            ("priority", newPriority),
            ("wait", earlier(inBackground: true).map(Workload.Step.wait)),
            ("sleep", FieldDecoder<Duration>.duration.map(Workload.Step.sleep)),
            ("think", FieldDecoder<Duration>.duration.map(Workload.Step.sleep)),
            ("use", earlier(inBackground: false).map(Workload.Step.use)),
        ]
    }

    private var request: FieldDecoder<Workload.Request> {
        let (number, requests) = (number, requests)
        return .mapping("a request") { fields in
            let id = fields.value("id", Self.identifier) ?? "r\(number)"
            if Workload.isReserved(id) {
                fields.refuse("id", "'\(id)' is a reserved name", hint: "give it another one")
            }
            if requests.contains(where: { $0.id == id }) {
                fields.refuse("id", "an earlier request is already called '\(id)'", hint: "choose another name")
            }
            let tags = fields.required("tags", .list("a list of tags, such as [level-2]", of: .packName))
            let priority = fields.value("priority", Self.priority()) ?? .value(0.5)
            let isBackground = fields.value("background", .flag) ?? false
            let isConditional = fields.value("conditional", .flag) ?? false
            if isConditional, isBackground {
                fields.refuse("background", "a conditional request is answered at once", hint: "leave 'background' out")
            }
            guard let tags else { return nil }
            return Workload.Request(
                id: id, tags: tags, priority: priority, isBackground: isBackground, isConditional: isConditional)
        }
    }

    /// The request to cancel or to pause, and when: `r1 after 40 %`.
    private func moment(
        to verb: String, _ step: @escaping (_ id: String, _ fraction: Double) -> Workload.Step
    ) -> FieldDecoder<Workload.Step> {
        let text = FieldDecoder<String>.text(pattern: "^ *\\S+ +after +\(TextPattern.share) *$")
        return text.then { [self] text, node, problems in
            let words = text.split(separator: " ", maxSplits: 2)
            guard words.count == 3, words[1] == "after", let share = try? Ratio(parsing: String(words[2])) else {
                return problems.refuse(
                    "'\(text.abbreviated)' does not say what to \(verb) and when", at: node.mark,
                    hint: "write 'r1 after 40 %'")
            }
            let name = YAMLNode(mark: node.mark, content: .text(String(words[0]), inset: 0))
            return earlier(inBackground: true).value(of: name, problems).map { step($0, share.fraction) }
        }
    }

    /// The request that gets another priority, and which: `r1 urgent`.
    private var newPriority: FieldDecoder<Workload.Step> {
        let text = FieldDecoder<String>.text(pattern: "^ *\\S+ +(urgent|\(TextPattern.unitInterval)) *$")
        return text.then { [self] text, node, problems in
            let words = text.split(separator: " ", maxSplits: 1).map {
                YAMLNode(mark: node.mark, content: .text(String($0), inset: 0))
            }
            guard words.count == 2 else {
                return problems.refuse(
                    "'\(text.abbreviated)' does not say which request gets which priority", at: node.mark,
                    hint: "write 'r1 urgent'")
            }
            guard let id = earlier(inBackground: true).value(of: words[0], problems),
                let priority = Self.priority().value(of: words[1], problems)
            else { return nil }
            return .setPriority(id, priority)
        }
    }

    /// The name of a request that an earlier step has begun.
    private func earlier(inBackground: Bool) -> FieldDecoder<String> {
        FieldDecoder<String>.text.then("the name of an earlier request") { [requests, life] id, node, problems in
            guard let request = requests.first(where: { $0.id == id }) else {
                let hint = NearestName.hint(for: id, in: requests.map(\.id)) ?? "an earlier step must begin it"
                let message = "no earlier step begins a request '\(id.abbreviated)'"
                return problems.refuse(message, at: node.mark, hint: hint)
            }
            if !life.begun.contains(id) {
                let message = "'\(id)' ended with the app before this step"
                return problems.refuse(message, at: node.mark, hint: "begin another request after the launch")
            }
            if inBackground, !request.isBackground {
                let message = "'\(id)' has completed before this step"
                return problems.refuse(message, at: node.mark, hint: "begin it with 'background: true'")
            }
            return id
        }
    }

    /// The name of a conditional request of an earlier step that no step has begun.
    private var asked: FieldDecoder<String> {
        earlier(inBackground: false).then { [requests, begun] id, node, problems in
            let isAsked = requests.contains { $0.id == id && $0.isConditional }
            guard isAsked, !begun.contains(id) else {
                let message = "'\(id)' has already begun before this step"
                return problems.refuse(
                    message, at: node.mark, hint: "'begin' is for a request with 'conditional: true', once")
            }
            return id
        }
    }

    private static var identifier: FieldDecoder<String> {
        .matching(
            "^[A-Za-z0-9._-]{0,64}$", "a request's name", hint: "use up to 64 letters, digits, '-', '_' and '.'"
        ) { !ExpectationDecoder.words.contains($0) }
    }

    /// A number from 0 to 1, or one of `words`, which is urgent.
    static func priority(
        _ expected: String = "a priority: 0 to 1, or urgent", words: [String] = ["urgent"]
    ) -> FieldDecoder<Workload.Priority> {
        let pattern = TextPattern.whole((words + [TextPattern.unitInterval]).joined(separator: "|"))
        return .scalar(expected, schema: { SchemaNode.scalar(expected, pattern: pattern, most: 1) }) { text in
            if words.contains(text) { return .value(.urgent) }
            let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
            guard isNumber, let value = Double(text), (0...1).contains(value) else {
                return .wrong(text, not: expected, hint: NearestName.hint(for: text, in: words))
            }
            return .value(.value(value))
        }
    }
}
