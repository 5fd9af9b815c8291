package import Documents
import Results
package import SystemPackage
import Wording

/// Loads scenarios from files and folders, and checks all of them completely before any starts.
package struct ScenarioLoader: Sendable {
    /// The library of the profiles that scenarios name.
    package let profiles: ProfileLibrary
    /// Whether there is a baseline that budgets may compare with (default: true).
    package var hasBaseline = true

    package init(profiles: ProfileLibrary) { self.profiles = profiles }

    /// The scenarios in these files and folders, in this order; those of a folder by name.
    ///
    /// From a folder, it loads the `.yaml` and `.yml` files in it and in its subfolders, without the profiles in a
    /// subfolder `profiles`. Relative paths in a scenario start from its file's folder. Throws all problems of all files.
    package func load(_ paths: [FilePath]) throws(InvalidFiles) -> [Scenario] {
        let (scenarios, diagnostics) = examine(paths)
        if !diagnostics.isEmpty { throw InvalidFiles(diagnostics) }
        return scenarios
    }

    /// The scenarios without problems, and the problems of the others, or of all of them together.
    package func examine(_ paths: [FilePath]) -> (scenarios: [Scenario], problems: [Diagnostic]) {
        let (scenarios, problems) = readingEach(paths) { source, loader throws(InvalidFiles) in
            try load(source, loader)
        }
        return (scenarios, problems + Self.collisions(scenarios))
    }

    /// What `read` returns for each file in these files and folders, without nil, and the problems of all of them.
    func readingEach<Value>(
        _ paths: [FilePath], _ read: (Source, ProfileLoader) throws(InvalidFiles) -> Value?
    ) -> (values: [Value], problems: [Diagnostic]) {
        var (values, diagnostics): ([Value], [Diagnostic]) = ([], [])
        let loader = ProfileLoader(library: profiles)
        for source in paths.flatMap({ sources($0, &diagnostics) }) {
            do { if let value = try read(source, loader) { values.append(value) } } catch {
                diagnostics += error.diagnostics
            }
        }
        return (values, diagnostics)
    }

    /// The scenarios in one file or folder.
    package func load(_ path: FilePath) throws(InvalidFiles) -> [Scenario] { try load([path]) }

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

    /// A file, and the name of its scenario.
    struct Source {
        let file: FilePath
        let name: String
    }

    func load(_ source: Source, _ loader: ProfileLoader) throws(InvalidFiles) -> Scenario {
        let problems = Problems(file: source.file.string)
        let root = YAMLReader.read(file: source.file, problems)
        if let root, Self.isProfile(root) {
            throw InvalidFiles(
                "this is a profile, not a scenario", file: source.file.string, at: root.mark,
                hint: "keep profiles in their own folder, beside the scenarios' folder")
        }
        return try Self.scenario(root, source, loader, problems, hasBaseline: hasBaseline)
    }

    /// The scenario with the mapping `root`; if `root` is nil, its problem is already noted.
    static func scenario(
        _ root: YAMLNode?, _ source: Source, _ loader: ProfileLoader, _ problems: Problems, hasBaseline: Bool = true
    ) throws(InvalidFiles) -> Scenario {
        var context = ScenarioContext(folder: source.file.removingLastComponent(), profiles: loader)
        context.hasBaseline = hasBaseline
        let decoder = ScenarioDecoder(context: context)
        let matrix = root.map { MatrixDecoder(problems: problems).read($0) } ?? Matrix()
        let place = SourcePlace(file: source.file.string, line: mark(ofOneOf: ["scenario"], in: root).line)
        let points = root.map { matrix.points(of: $0, problems) } ?? []
        var names: Set<String> = []
        let cells = points.compactMap { point in
            let id = unique(([source.name.fileWord] + point.words).joined(separator: "-"), among: &names)
            var cell = decoder.cell(id: id, point: point.settings).value(of: point.root, telling: problems)
            cell?.source = point.root
            cell?.place = place
            return cell
        }
        if let root, let first = points.first {
            for hidden in matrix.hidden(of: root, behind: first, problems) {
                _ = decoder.cell(id: "", point: []).value(of: hidden, telling: problems)
            }
            tryCheck(of: root, decoder, problems)
        }
        try problems.check()
        guard !cells.isEmpty, cells.count == points.count, case .text(let title, _)? = root?["scenario"]?.content else {
            preconditionFailure("\(source.file) has no problem and gives no scenario")
        }
        return Scenario(
            file: source.file, name: source.name, title: title, cells: cells,
            contentMark: mark(ofOneOf: ContentDecoder.keys, in: root), nameMarks: problems.nameMarks)
    }

    /// The JSON Schema (draft 2020-12) of a scenario's file, made from the decoders that read it.
    ///
    /// It lists the keys and their values. Dependencies between keys are only checked when a scenario is loaded.
    package var schema: JSONTree {
        let context = ScenarioContext(folder: "", profiles: ProfileLoader(library: profiles))
        let schema = ScenarioDecoder(context: context).cell(id: "", point: []).schema()
        guard case .object(let members) = schema,
            case .object(let head) = JSONTree.object([
                "$schema": .text("https://json-schema.org/draft/2020-12/schema"),
                "title": .text("A scenario of headwind run"),
            ])
        else { return schema }
        return JSONTree.object(head + members).sharingRepeats()
    }

    /// Whether a file is a profile; as a scenario, each of its keys would be an error.
    private static func isProfile(_ root: YAMLNode) -> Bool {
        root["profile"] != nil && ["scenario", "link", "workload", "budgets"].allSatisfy { root[$0] == nil }
    }

    /// Whether a file is one of the profiles that a hunted bug keeps next to its scenario.
    private static func isKeptProfile(_ file: FilePath) -> Bool {
        guard file.removingLastComponent().lastComponent?.string == ScenarioBundle.profilesFolder else { return false }
        return YAMLReader.read(file: file, Problems(file: file.string)).map(isProfile) ?? false
    }

    /// The place of the first key that is one of `keys`; the start if there is none.
    private static func mark(ofOneOf keys: [String], in root: YAMLNode?) -> Mark {
        guard case .mapping(let entries)? = root?.content else { return .start }
        return entries.first { keys.contains($0.key) }?.keyMark ?? .start
    }

    private static func unique(_ id: String, among names: inout Set<String>) -> String {
        var (candidate, number) = (id, 1)
        while !names.insert(candidate).inserted {
            number += 1
            candidate = "\(id)-\(number)"
        }
        return candidate
    }

    func sources(_ path: FilePath, _ diagnostics: inout [Diagnostic]) -> [Source] {
        func problem(_ message: String, hint: String?) -> [Source] {
            diagnostics.append(Diagnostic(file: "", mark: .start, message: message, hint: hint))
            return []
        }
        guard FolderListing.exists(path) else {
            let folder = path.removingLastComponent()
            let names = FolderListing.names(folder.isEmpty ? "." : folder) ?? []
            let hint = path.lastComponent.flatMap { NearestName.hint(for: $0.string, in: names) }
            return problem("there is no file or folder '\(path)'", hint: hint)
        }
        guard FolderListing.isFolder(path) else { return [Source(file: path, name: path.stem ?? path.string)] }
        let found = Self.sources(in: path).filter { !Self.isKeptProfile($0.file) }
        return found.isEmpty
            ? problem("there is no scenario in the folder '\(path)'", hint: "scenarios are .yaml files") : found
    }

    /// The YAML files in a folder and in its subfolders, whose names begin with `prefix`.
    ///
    /// Links to folders in subfolders are left out, so that no folder contains itself.
    private static func sources(in folder: FilePath, prefix: String = "") -> [Source] {
        (FolderListing.names(folder) ?? []).flatMap { name -> [Source] in
            let inner = folder.appending(name)
            if name.isYAMLName { return [Source(file: inner, name: prefix + (inner.stem ?? name))] }
            guard FolderListing.isFolder(inner, orLink: prefix.isEmpty) else { return [] }
            return sources(in: inner, prefix: "\(prefix)\(name)/")
        }
    }

    /// The files whose cells have the same name as others: cells' names are the names of their results.
    private static func collisions(_ scenarios: [Scenario]) -> [Diagnostic] {
        var owners: [String: FilePath] = [:]
        return scenarios.compactMap { scenario in
            let taken = scenario.cells.lazy.compactMap { owners[$0.id] }.first
            for cell in scenario.cells { owners[cell.id] = scenario.file }
            return taken.map {
                Diagnostic(
                    file: scenario.file.string, mark: .start,
                    message: "its cells have the same names as those of '\($0)'", hint: "rename one of the files")
            }
        }
    }
}

extension FieldDecoder {
    /// The value of a node; its problems are added without those that were noted before.
    func value(of node: YAMLNode, telling problems: Problems) -> Value? {
        let own = Problems(file: problems.file)
        let value = value(of: node, own)
        problems.take(own.found)
        for (name, mark) in own.nameMarks { problems.mention(name, at: mark) }
        return value
    }
}
