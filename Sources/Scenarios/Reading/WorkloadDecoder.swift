import Documents
import LinkModel

/// Reads `workload`: the steps of the built-in client, or a command.
struct WorkloadDecoder {
    let context: ScenarioContext

    var decoder: FieldDecoder<Workload> {
        let expected = "a list of steps such as [{request: {tags: [a]}}], or {command: …}"
        let command = CommandDecoder(folder: context.folder).decoder
        let schema = {
            let steps = SchemaNode.list("a list of steps", of: StepReader.schema(context))
            return SchemaNode.any([steps, command.schema()])
        }
        return FieldDecoder(expected, schema: schema) { node, problems in
            switch node.content {
            case .list: self.steps(node, problems).map(Workload.requests)
            case .mapping: command.read(node, problems).map(Workload.command)
            case .text, .nothing:
                FieldDecoder<Workload>.scalar(expected) { .wrong($0, not: expected) }.read(node, problems)
            }
        }
    }

    private func steps(_ node: YAMLNode, _ problems: Problems) -> [Workload.Step]? {
        var reader = StepReader(context: context)
        let decoder = FieldDecoder<[Workload.Step]>.list(
            "a list of steps", of: FieldDecoder("a step") { reader.step($0, $1) })
        let steps = decoder.read(node, problems)
        guard let steps else { return nil }
        if Workload.requests(steps).names.isEmpty {
            return problems.refuse("no step is a request", at: node.mark, hint: "add {request: {tags: […]}}")
        }
        if case .list(let nodes) = node.content { checkPauses(zip(steps, nodes.map(\.mark)), problems) }
        return steps
    }

    /// Notes each pause that is not ended before a step waits for its request: a request that stays paused has no
    /// callback, and a client that waits for it hangs through no fault of its own.
    ///
    /// After the last step, every callback is waited for. The end of the app ends its requests. A cancel ends a pause
    /// if its share is at most that of the pause. A pause at 100 % has no effect, as the request is complete.
    private func checkPauses(_ steps: some Sequence<(Workload.Step, Mark)>, _ problems: Problems) {
        var paused: [String: (share: Double, mark: Mark)] = [:]
        func refuse(_ id: String) {
            guard let pause = paused.removeValue(forKey: id) else { return }
            problems.add(
                "'\(id)' is paused here, but not resumed before a step waits for it", at: pause.mark,
                hint: "add 'resume: \(id)' in between")
        }
        for (step, mark) in steps {
            switch step {
            case .pause(let id, let share) where share < 1: paused[id] = (share, mark)
            case .resume(let id): paused[id] = nil
            case .cancel(let id, let share) where share <= paused[id]?.share ?? 0: paused[id] = nil
            case .wait(let id), .end(let id), .use(let id): refuse(id)
            case .quit, .launch, .update: paused = [:]
            default: break
            }
        }
        for id in paused.keys.sorted() { refuse(id) }
    }
}
