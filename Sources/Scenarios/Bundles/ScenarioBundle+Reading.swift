import Documents
package import LinkModel
import LinuxSupport
package import SystemPackage

extension ScenarioBundle {
    /// The cell in a folder with the files of ``ScenarioBundle``, under a name of the caller's.
    ///
    /// Nothing is read from outside of the folder but the packs, where the scenario names them by a whole path: what else
    /// leads out of it is refused, before it is looked at. Links in the folder are the caller's to refuse. Throws all that
    /// is wrong.
    package static func read(_ folder: FilePath, named name: String) throws(InvalidFiles) -> Scenario {
        let file = folder.appending(scenarioFile)
        let problems = Problems(file: file.string)
        let root = YAMLReader.read(file: file, problems)
        try problems.check()
        if let root { checkShape(root, problems) }
        try problems.check()
        try checkProfiles(in: folder.appending(profilesFolder))
        try checkSchedule(folder.appending(scheduleFile))
        let library = ProfileLibrary(folder: folder.appending(profilesFolder))
        let source = ScenarioLoader.Source(file: file, name: name)
        return try ScenarioLoader(profiles: library).load(source, ProfileLoader(library: library, allowsExtends: false))
    }

    /// Notes what no bundle has: other files, several cells.
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

    /// A profile of a bundle extends nothing.
    private static func checkProfiles(in folder: FilePath) throws(InvalidFiles) {
        for name in FolderListing.names(folder) ?? [] where name.isYAMLName {
            let file = folder.appending(name)
            let problems = Problems(file: file.string)
            if let base = YAMLReader.read(file: file, problems)?["extends"] {
                problems.add("a profile in a bundle cannot extend another", at: base.mark)
            }
            try problems.check()
        }
    }

    /// A list of a bundle calls profiles by their names.
    private static func checkSchedule(_ file: FilePath) throws(InvalidFiles) {
        // What is wrong with the list itself is told by the reader of the scenario.
        guard let bytes = try? BoundedFile.read(file, most: FaultSchedule.mostBytes),
            let text = String(validating: bytes, as: UTF8.self),
            let (schedule, numbers) = try? FaultSchedule.read(text)
        else { return }
        for (line, number) in zip(schedule.lines, numbers) {
            guard case .link(let change) = line, case .profile(let name) = change.effect, ProfileLibrary.isPath(name)
            else { continue }
            let message = "'\(name.abbreviated)' is a path, but the schedule of a bundle must use profile names"
            throw InvalidFiles([
                Diagnostic(file: file.string, mark: Mark(line: number, column: 1), message: message, hint: nil)
            ])
        }
    }
}

extension Profile {
    /// The text of a file that reads back as this profile; `traces` are the files of its traces, relative to it.
    ///
    /// A trace without a file is written out.
    package func text(traces: [Direction: String] = [:]) -> String { YAMLNode.made(notation(traces: traces)).text }

    /// The file of a profile that does the same and extends nothing, and its traces by the names that it calls them.
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
