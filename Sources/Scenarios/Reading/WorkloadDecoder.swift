import LinkModel

/// Reads `workload`: the steps of the built-in client, or a command.
struct WorkloadDecoder {
    let context: ScenarioContext

    var decoder: FieldDecoder<Workload> {
        let expected = "a list of steps such as [{request: {tags: [a]}}], or {command: …}"
        let command = CommandDecoder(folder: context.folder).decoder
        let schema = {
            let steps = SchemaNode.list("a list of steps", of: StepReader.schema(context), most: 1000)
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
            problems.add("no step is a request", at: node.mark, hint: "add {request: {tags: […]}}")
            return nil
        }
        if case .list(let nodes) = node.content {
            PauseRule(steps: zip(steps, nodes.map(\.mark)).map { ($0, $1) }).check(problems)
        }
        return steps
    }
}
