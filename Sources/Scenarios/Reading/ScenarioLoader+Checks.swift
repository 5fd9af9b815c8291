package import SystemPackage

extension ScenarioLoader {
    /// The checks of a command in these files and folders; scenarios without `check` are left out.
    ///
    /// Throws all problems in any of them; an unknown name in braces in the command is one of them.
    package func checks(_ paths: [FilePath], asking command: CheckedCommand) throws(InvalidFiles) -> [AskedScenario] {
        let (asked, diagnostics) = readingEach(paths) { source, loader throws(InvalidFiles) -> AskedScenario? in
            let problems = Problems(file: source.file.string)
            let root = YAMLReader.read(file: source.file, problems)
            let check = root?["check"].flatMap { ClientCheckDecoder.decoder.value(of: $0, problems) }
            let asking = root?.asking(command, problems)
            try problems.check()
            guard let check else { return nil }
            let scenario = try asking.map { node throws(InvalidFiles) in
                try Self.scenario(node, source, loader, problems)
            }
            return AskedScenario(check: check, scenario: scenario, name: source.name)
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
