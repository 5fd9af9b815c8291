package import LinkModel
import Redaction
package import SystemPackage

/// The texts that define one cell completely, without the files that it was read from.
package struct ScenarioBundle: Sendable {
    /// The place of the packs that the cell serves.
    package enum Packs: Sendable {
        /// Where the scenario says: a catalog of Headwind's own, or a folder with an absolute path.
        case asNamed
        /// In the folder ``packsFolder`` next to the scenario.
        case copied
    }

    package static let scenarioFile = "scenario.yaml"
    package static let scheduleFile = "schedule.txt"
    package static let profilesFolder = "profiles"
    package static let packsFolder = "packs"

    /// The texts by file name; a name may be a path in ``profilesFolder``.
    package let files: [String: String]
    /// The scenario's keys with secrets, which its text leaves out, so that the cell that is read from it differs.
    package let leftOut: [String]

    /// The texts of a cell that plays `schedule`; nil for a cell that was not read from text.
    ///
    /// `fidelity` is that of the link that was used. With `isScheduleInline`, the scenario itself contains the
    /// schedule, for one of a few lines. If `folder`, an absolute path of the folder of the texts, is in the folder that
    /// a command runs in, the command's paths are relative, so that both can move to another machine together.
    package init?(
        _ cell: Cell, playing schedule: FaultSchedule, fidelity: Link.Fidelity, packs: Packs,
        isScheduleInline: Bool = false, in folder: FilePath? = nil
    ) {
        guard case .mapping(let source)? = cell.source?.content else { return nil }
        var files = isScheduleInline ? [:] : [Self.scheduleFile: schedule.text]
        var names = Set<String>()
        func add(_ profile: Profile) {
            let (text, traces) = profile.files
            files["\(Self.profilesFolder)/\(profile.name).yaml"] = text
            for (name, trace) in traces { files["\(Self.profilesFolder)/\(name)"] = trace }
            names.insert(profile.name)
        }
        for case .profile(let profile) in cell.linkFaults.map(\.effect) { add(profile) }
        var own = cell.link.profile
        // The schedule calls profiles by their names, so the link's own profile gets another name.
        while names.contains(own.name) { own.name += "-link" }
        add(own)
        let gone = ["matrix", "cells", "faults", "schedule", "link"] + ContentDecoder.keys
        var leftOut: [String] = []
        var entries: [(String, YAMLNode?)] = []
        for entry in source where !gone.contains(entry.key) {
            let kept = entry.value.redacted(hasCommand: entry.key == "workload")
            // A title has no effect, so a change in it is not counted.
            if kept != entry.value, entry.key != "scenario" { leftOut.append(entry.key) }
            entries.append((entry.key, entry.key == "workload" ? kept.inWholeFolder(of: cell, from: folder) : kept))
        }
        let content = cell.content.entry(source, packs: packs, &leftOut)
        entries.insert(content, at: min(1, entries.count))
        let link: [(String, YAMLNode?)] = [
            ("profile", .made("./\(Self.profilesFolder)/\(own.name).yaml")), ("seed", .made("\(cell.link.seed)")),
            ("fidelity", .made(fidelity.rawValue)),
        ]
        entries.append(("link", .made(link)))
        if !isScheduleInline {
            entries.append(("schedule", .made("./\(Self.scheduleFile)")))
        } else if !schedule.lines.isEmpty {
            entries.append(("schedule", .made(.list(schedule.lines.map { .made($0.text) }))))
        }
        files[Self.scenarioFile] = YAMLNode.made(entries).text
        self.files = files
        self.leftOut = leftOut
    }
}

extension Content {
    /// The key that sets what is downloaded, with a value that does not depend on the text's folder.
    fileprivate func entry(
        _ source: [YAMLNode.Entry], packs: ScenarioBundle.Packs, _ leftOut: inout [String]
    ) -> (String, YAMLNode?) {
        let copy = ("packs", YAMLNode.made("./\(ScenarioBundle.packsFolder)/"))
        switch (self, packs) {
        case (.catalog(.builtIn(let name)), _): return ("catalog", .made(name))
        case (.catalog(.builtInBackgroundAssets(let name)), _):
            return ("catalog", .made([(ContentDecoder.managedKey, .made(name))]))
        case (.host, _):
            let written = source.first { $0.key == "host" }?.value ?? .made("")
            let kept = written.withoutHeaders
            if kept != written { leftOut.append("host") }
            return ("host", kept)
        case (.network(let forwards), _): return ("network", NetworkDecoder.node(forwarding: forwards))
        case (_, .copied): return copy
        case (.packs(let folder), .asNamed): return ("packs", .made(folder.string))
        case (.catalog(let catalog), .asNamed): return ("catalog", catalog.node)
        }
    }
}

extension Content.Catalog {
    /// The catalog's value, with absolute paths.
    fileprivate var node: YAMLNode {
        switch self {
        case .builtIn(let name): .made(name)
        case .folder(let folder, let tags): .made([("folder", .made(folder.string)), ("tags", .made(tags.string))])
        case .byFolder(let folder): .made([("folder", .made(folder.string)), ("tags", .made("by-folder"))])
        case .backgroundAssets(let folder): .made([(ContentDecoder.managedKey, .made(folder.string))])
        case .builtInBackgroundAssets(let name): .made([(ContentDecoder.managedKey, .made(name))])
        }
    }
}

extension YAMLNode {
    /// The tree without secrets; with a command, lists of texts are command lines.
    fileprivate func redacted(hasCommand: Bool = false) -> YAMLNode {
        let kept: Content
        switch content {
        case .text(let value, let inset): kept = .text(Redaction.text(value), inset: inset)
        case .nothing: kept = .nothing
        case .list(let items):
            let words = items.compactMap { if case .text(let word, _) = $0.content { word } else { nil } }
            if hasCommand, words.count == items.count {
                kept = .list(zip(items, Redaction.arguments(words)).map { $0.flowText == $1 ? $0 : .made($1) })
            } else {
                kept = .list(items.map { $0.redacted(hasCommand: hasCommand) })
            }
        case .mapping(let entries):
            kept = .mapping(entries.map { $0.having($0.value.redacted(hasCommand: hasCommand)) })
        }
        return YAMLNode(mark: mark, content: kept)
    }

    /// A workload with absolute paths of its folders, or with paths from `folder` if that is in the command's folder.
    fileprivate func inWholeFolder(of cell: Cell, from folder: FilePath?) -> YAMLNode {
        if case .list(let steps) = content {
            var updates = cell.workload.updates.makeIterator()
            return YAMLNode(mark: mark, content: .list(steps.map { $0.bringing { updates.next() } }))
        }
        guard case .mapping(let entries) = content, case .command(let command) = cell.workload else { return self }
        let relative = command.directory.flatMap { folder?.path(to: "./", in: $0) }
        let whole = entries.map { entry in
            let value =
                switch entry.key {
                case "directory": (relative ?? command.directory?.string).map { YAMLNode.made($0) }
                case "command" where relative == nil: entry.value.callingWhole(command.call.program)
                default: nil as YAMLNode?
                }
            return value.map(entry.having) ?? entry
        }
        return YAMLNode(mark: mark, content: .mapping(whole))
    }

    /// A call with the absolute path of its program; nil if the program is not named by a path.
    private func callingWhole(_ program: String?) -> YAMLNode? {
        guard let program, program.hasPrefix("/"), case .list(var items) = content, !items.isEmpty else { return nil }
        items[0] = .made(program)
        return YAMLNode(mark: mark, content: .list(items))
    }

    /// The step; if it is an update, with the next catalog.
    private func bringing(_ next: () -> Scenarios.Content.Catalog?) -> YAMLNode {
        guard case .mapping(let entries) = content, entries.contains(where: { $0.key == "update" }),
            let catalog = next()
        else { return self }
        return YAMLNode(
            mark: mark, content: .mapping(entries.map { $0.key == "update" ? $0.having(catalog.node) : $0 }))
    }

    /// A host without its header fields, each of which may be a secret.
    fileprivate var withoutHeaders: YAMLNode {
        guard case .mapping(let entries) = content else { return redacted() }
        let kept = entries.filter { !["headers", "headers-file"].contains($0.key) }
        return YAMLNode(mark: mark, content: .mapping(kept)).redacted()
    }
}
