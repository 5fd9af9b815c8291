package import SystemPackage

extension ScenarioLoader {
    /// The scenario with a text that is in no file; relative paths in it start from `folder`.
    ///
    /// Its problems have `name` in the place of a file. Throws all of them.
    package func load(text: String, named name: String, in folder: FilePath) throws(InvalidFiles) -> Scenario {
        let problems = Problems(file: name)
        let root = YAMLReader.read(Array(text.utf8), problems)
        let source = Source(file: folder.appending(name), name: name)
        var scenario = try Self.scenario(root, source, ProfileLoader(library: profiles), problems)
        // Problems that only the content shows have the name, too.
        scenario.file = FilePath(name)
        return scenario
    }
}
