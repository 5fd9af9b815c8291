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
        let step = step(of: fields, problems)
        return fields.close() ? step : nil
    }

    /// The schema of a step.
    static func schema(_ context: ScenarioContext) -> JSONTree {
        let mapping = Fields.schema(of: "a step") { fields in
            var reader = StepReader(context: context)
            _ = reader.step(of: fields, Problems(file: ""))
        }
        return SchemaNode.any([SchemaNode.word("a step of an app's life", words), mapping])
    }

    private mutating func step(of fields: Fields, _ problems: Problems) -> Workload.Step? {
        let request = fields.node("request", schema: decoder(number: 0).schema())
        let begin = fields.value("begin", asked)
        let end = fields.value("end", earlier(inBackground: false))
        let moment = FieldDecoder<String>.text(pattern: "^ *\\S+ +after +\(TextPattern.share) *$")
        let cancel = fields.value("cancel", moment)
        let pause = fields.value("pause", moment)
        let resume = fields.value("resume", earlier(inBackground: true))
        let priority = fields.value(
            "priority", .text(pattern: "^ *\\S+ +(urgent|\(TextPattern.unitInterval)) *$"))
        let wait = fields.value("wait", earlier(inBackground: true))
        let sleep = fields.value("sleep", .duration)
        let think = fields.value("think", .duration)
        let use = fields.value("use", earlier(inBackground: false))
        let further = self.further(fields)
        let kind = fields.exactlyOne(of: Self.kinds)
        let step: Workload.Step? =
            switch kind {
            case "request": request.flatMap { self.request($0, problems) }.map(Workload.Step.request)
            case "begin":
                begin.map { id in
                    begun.insert(id)
                    return .begin(id)
                }
            case "end": end.map(Workload.Step.end)
            case "cancel":
                cancel.flatMap { place($0, "cancel", fields) }.map { .cancel($0.id, after: $0.fraction) }
            case "pause": pause.flatMap { place($0, "pause", fields) }.map { .pause($0.id, after: $0.fraction) }
            case "resume": resume.map(Workload.Step.resume)
            case "priority": priority.flatMap { newPriority($0, fields) }
            case "wait": wait.map(Workload.Step.wait)
            case "sleep": sleep.map(Workload.Step.sleep)
            case "think": think.map(Workload.Step.sleep)
            case "use": use.map(Workload.Step.use)
            case nil: nil
            default: further
            }
        return step
    }

    private mutating func request(_ node: YAMLNode, _ problems: Problems) -> Workload.Request? {
        number += 1
        guard let request = decoder(number: number).value(of: node, problems) else { return nil }
        requests.append(request)
        return request
    }

    private func decoder(number: Int) -> FieldDecoder<Workload.Request> {
        let taken = requests.map(\.id)
        return .mapping("a request") { fields in
            let id = fields.value("id", Self.identifier) ?? "r\(number)"
            if Workload.isReserved(id) {
                fields.refuse("id", "'\(id)' is a reserved name", hint: "give it another one")
            }
            if taken.contains(id) {
                fields.refuse("id", "an earlier request is already called '\(id)'", hint: "choose another name")
            }
            let tags = fields.required("tags", .list("a list of tags, such as [level-2]", of: .packName))
            let priority = fields.value("priority", Self.priority) ?? .value(0.5)
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
    private func place(_ text: String, _ verb: String, _ fields: Fields) -> (id: String, fraction: Double)? {
        guard let node = fields.node(verb) else { return nil }
        let words = text.split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[1] == "after", let share = try? Ratio(parsing: String(words[2])) else {
            return fields.problems.refuse(
                "'\(text.abbreviated)' does not say what to \(verb) and when", at: node.mark,
                hint: "write 'r1 after 40 %'")
        }
        let name = YAMLNode(mark: node.mark, content: .text(String(words[0]), inset: 0))
        return earlier(inBackground: true).value(of: name, fields.problems).map { ($0, share.fraction) }
    }

    /// The request that gets another priority, and which: `r1 urgent`.
    private func newPriority(_ text: String, _ fields: Fields) -> Workload.Step? {
        guard let node = fields.node("priority") else { return nil }
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else {
            return fields.problems.refuse(
                "'\(text.abbreviated)' does not say which request gets which priority", at: node.mark,
                hint: "write 'r1 urgent'")
        }
        func word(_ text: Substring) -> YAMLNode { YAMLNode(mark: node.mark, content: .text(String(text), inset: 0)) }
        guard let id = earlier(inBackground: true).value(of: word(words[0]), fields.problems),
            let priority = Self.priority.value(of: word(words[1]), fields.problems)
        else { return nil }
        return .setPriority(id, priority)
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
        .scalar("a request's name", pattern: "^[A-Za-z0-9._-]{0,64}$") { text in
            let isName = text.utf8.allSatisfy { UInt8.asciiAlphanumerics.contains($0) || "-_.".utf8.contains($0) }
            guard isName, text.utf8.count <= 64, !ExpectationDecoder.words.contains(text) else {
                return .wrong(text, not: "a request's name", hint: "use up to 64 letters, digits, '-', '_' and '.'")
            }
            return .value(text)
        }
    }

    private static var priority: FieldDecoder<Workload.Priority> {
        let expected = "a priority: 0 to 1, or urgent"
        let pattern = TextPattern.whole("urgent", TextPattern.unitInterval)
        return .scalar(expected, schema: { SchemaNode.scalar(expected, pattern: pattern, most: 1) }) { text in
            if text == "urgent" { return .value(.urgent) }
            let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
            guard isNumber, let value = Double(text), (0...1).contains(value) else {
                return .wrong(text, not: expected, hint: NearestName.hint(for: text, in: ["urgent"]))
            }
            return .value(.value(value))
        }
    }
}
