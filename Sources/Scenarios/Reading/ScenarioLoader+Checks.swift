package import SystemPackage

extension ScenarioLoader {
    /// The checks of a command in these files and folders; scenarios without `check` are left out.
    ///
    /// Throws all problems in any of them; an unknown name in braces in the command is one of them.
    package func checks(_ paths: [FilePath], asking command: CheckedCommand) throws(InvalidFiles) -> [AskedScenario] {
        var diagnostics: [Diagnostic] = []
        var asked: [AskedScenario] = []
        let loader = ProfileLoader(library: profiles)
        for source in paths.flatMap({ sources($0, &diagnostics) }) {
            let problems = Problems(file: source.file.string)
            do {
                guard let root = YAMLReader.read(file: source.file, problems), let node = root["check"] else {
                    try problems.check()
                    continue
                }
                let check = ClientCheckDecoder.decoder.value(of: node, problems)
                let asking = root.asking(command, problems)
                try problems.check()
                guard let check else { continue }
                let scenario = try asking.map { node throws(InvalidFiles) in
                    try Self.scenario(node, source, loader, problems)
                }
                asked.append(AskedScenario(check: check, scenario: scenario, name: source.name))
            } catch {
                diagnostics += error.diagnostics
            }
        }
        if !diagnostics.isEmpty { throw InvalidFiles(diagnostics) }
        return asked
    }

    /// Checks the scenario of `check` with a placeholder command, so that each problem is one of the file.
    static func tryCheck(of root: YAMLNode, _ decoder: ScenarioDecoder, _ problems: Problems) {
        let anybody = CheckedCommand(words: ["true"], directory: "/", patience: .seconds(1), within: .seconds(1))
        guard let asking = root.asking(anybody, Problems(file: problems.file)) else { return }
        _ = decoder.cell(id: "", point: []).value(of: asking, telling: problems)
    }
}
