import LinkModel
import Results

/// Reads `workload`: the steps of the built-in client, or a command.
struct WorkloadForm {
    let context: ScenarioContext

    var form: Form<Workload> {
        let expected = "a list of steps such as [{request: {tags: [a]}}], or {command: …}"
        let command = CommandForm(folder: context.folder).form
        let shape = {
            let steps = Shape.list("a list of steps", of: StepReader.shape(context), most: 1000)
            return Shape.any([steps, command.shape()])
        }
        return Form(expected, shape: shape) { node, problems in
            switch node.content {
            case .list: self.steps(node, problems).map(Workload.requests)
            case .mapping: command.read(node, problems).map(Workload.command)
            case .text, .nothing:
                Form<Workload>.scalar(expected) { .wrong($0, not: expected) }.read(node, problems)
            }
        }
    }

    private func steps(_ node: YAMLNode, _ problems: Problems) -> [Workload.Step]? {
        var reader = StepReader(context: context)
        let form = Form<[Workload.Step]>.list("a list of steps", of: Form("a step") { reader.step($0, $1) })
        let steps = form.read(node, problems)
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
