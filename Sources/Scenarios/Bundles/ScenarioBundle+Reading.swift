package import LinkModel
package import SystemPackage

extension ScenarioBundle {
    /// The cell in a folder with the files of ``ScenarioBundle``, with the given name.
    ///
    /// It only reads files in the folder, and packs that the scenario names by an absolute path. Any other path out of
    /// the folder is refused before it is opened. The caller must refuse symbolic links in the folder. Throws all
    /// problems.
    package static func read(_ folder: FilePath, named name: String) throws(InvalidFiles) -> Scenario {
        let file = folder.appending(scenarioFile)
        let problems = Problems(file: file.string)
        let root = YAMLReader.read(file: file, problems)
        try problems.check()
        if let root { checkShape(root, problems) }
        try problems.check()
        try checkSchedule(folder.appending(scheduleFile))
        let library = ProfileLibrary(folder: folder.appending(profilesFolder))
        let source = ScenarioLoader.Source(file: file, name: name)
        return try ScenarioLoader(profiles: library).load(source, ProfileLoader(library: library, allowsExtends: false))
    }

    /// Notes keys that a bundle does not have: those that name other files, or make several cells.
    private static func checkShape(_ root: YAMLNode, _ problems: Problems) {
        func refuse(_ node: YAMLNode, _ what: String) {
            problems.add("\(what) in a bundle", at: node.mark, hint: "use the bundle as 'headwind run' wrote it")
        }
        for key in ["matrix", "cells", "faults"] { if let node = root[key] { refuse(node, "'\(key)' is not allowed") } }
        if let schedule = root["schedule"], schedule.flowText != "./\(scheduleFile)" {
            refuse(schedule, "'schedule' must be ./\(scheduleFile)")
        }
        if let link = root["link"] {
            let words = link["profile"]?.flowText.split(separator: "/", omittingEmptySubsequences: false) ?? []
            if words.count != 3 || words[0] != "." || words[1] != profilesFolder || words[2].hasPrefix(".")
                || !String(words[2]).isYAMLName
            {
                refuse(link, "'profile' of 'link' must be ./\(profilesFolder)/NAME.yaml")
            }
            if link["trace"] != nil { refuse(link, "'trace' must be in the profile's file") }
        }
        if let headers = root["host"]?["headers-file"] { refuse(headers, "'headers-file' is not allowed") }
        let catalog = ["folder", "tags", ContentDecoder.managedKey].map { root["catalog"]?[$0] }
        for node in [root["packs"], root["catalog"]] + catalog {
            guard case .text(let path, _)? = node?.content, path.contains("/"), path != "./\(packsFolder)/" else {
                continue
            }
            let parts = FilePath(path).components.map(\.string)
            if !path.hasPrefix("/") || parts.contains("..") {
                refuse(node ?? root, "packs must be in ./\(packsFolder)/ or at an absolute path")
            }
        }
    }

    /// Checks that the schedule of a bundle uses names of profiles, not paths.
    private static func checkSchedule(_ file: FilePath) throws(InvalidFiles) {
        // Other problems of the schedule are reported by the reader of the scenario.
        guard let schedule = try? Schedule(file: file, calledBy: "", at: .start) else { return }
        for (change, mark) in schedule.linkChanges {
            guard case .profile(let name) = change.effect, ProfileLibrary.isPath(name) else { continue }
            let message = "'\(name.abbreviated)' is a path, but the schedule of a bundle must use profile names"
            throw InvalidFiles(message, file: file.string, at: mark)
        }
    }
}

extension Profile {
    /// The text of a file that reads back as this profile; `traces` are the paths of its traces, relative to that file.
    ///
    /// A trace without a file is written into the text.
    package func text(traces: [Direction: String] = [:]) -> String { YAMLNode.made(notation(traces: traces)).text }

    /// The file of an equal profile that extends no other, and the texts of its traces by file name.
    package var files: (text: String, traces: [String: String]) {
        var (names, texts): ([Direction: String], [String: String]) = ([:], [:])
        for direction in Direction.allCases {
            guard let trace = trace(direction) else { continue }
            let name = "\(name)-\(direction.rawValue).trace"
            names[direction] = name
            texts[name] = trace.milliseconds.map { "\($0)\n" }.joined()
        }
        return (text(traces: names), texts)
    }
}
