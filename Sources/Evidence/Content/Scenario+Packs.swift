import LinkModel
package import PackFormat
import PackHost
package import Scenarios
import Wording

extension Scenario {
    /// Problems of the packs that a cell names.
    package func packProblems(of cell: Cell, _ content: PreparedContent) -> [Diagnostic] {
        let faulty = cell.hostFaults.map(\.pack).filter { !["*", "manifest", "tag-table"].contains($0) }
        let triggers = cell.linkFaults.compactMap(\.trigger.pack)
        let named = faulty + triggers + cell.singlePacks + cell.expectations.namedPacks + cell.omitted
        let missing = named.filter { content.packs(named: $0).isEmpty }
        let known = Set(([content] + content.updates).flatMap(\.tagTable.packsByTag.keys)).sorted()
        return unaskedFaults(of: cell) + unaskedPacks(of: cell, content)
            + unknownTags(of: cell, known: known).map { noPack("tag", $0, known: known) }
            + missing.map { noPack("name or tag", $0, known: known) }
            + cell.singlePacks.filter { !missing.contains($0) && content.pack(named: $0) == nil }.map { name in
                let names = content.packs(named: name).map {
                    $0.tags.count > 1 ? $0.tags.joined(separator: "+") : $0.identifier
                }
                return diagnostic(
                    "'\(name)' means \(names.count) packs, and this needs one", for: name,
                    hint: "name one of them: \(names.sorted().listed())")
            }
    }

    /// Unknown tags of requests that must become available, which are mistakes rather than tests of an error.
    private func unknownTags(of cell: Cell, known: [String]) -> [String] {
        cell.workload.requests.filter { cell.expectations.areAvailable($0.id) }
            .flatMap(\.tags).filter { !known.contains($0) }
    }

    /// The problem that no pack has a name; `known` are the tags of packs.
    private func noPack(_ what: String, _ name: String, known: [String]) -> Diagnostic {
        let hint = NearestName.hint(for: name, in: known) ?? "the tags are \(known.listed())"
        return diagnostic("no downloaded pack has the \(what) '\(name)'", for: name, hint: hint)
    }

    /// Faults of the manifest that never happen: the built-in client has it as a file, unless it fetches it.
    private func unaskedFaults(of cell: Cell) -> [Diagnostic] {
        guard case .requests = cell.workload, !cell.fetchesManifest else { return [] }
        let unasked = Set(cell.hostFaults.map(\.pack)).intersection(Self.lists).sorted()
        return unasked.map {
            diagnostic(
                "the built-in client never asks the host for '\($0)', so its fault would never happen", for: $0,
                hint: "write 'manifest: fetched'")
        }
    }

    /// Names in faults that are not packs.
    private static let lists: Set = ["manifest", "tag-table"]

    /// Faults of packs that no request asks for; none are reported if the app fetches packs by itself.
    private func unaskedPacks(of cell: Cell, _ content: PreparedContent) -> [Diagnostic] {
        guard case .requests(let steps) = cell.workload, !cell.workload.hasInstall, cell.workload.updates.isEmpty,
            cell.workload.bundles.isEmpty, !steps.contains(.launch(bundle: nil)),
            let asked = content.packs(tags: Set(cell.workload.requests.flatMap(\.tags)))
        else { return [] }
        let names = cell.hostFaults.map(\.pack) + cell.linkFaults.compactMap(\.trigger.pack)
        let unasked = Set(names).subtracting(Self.lists).subtracting(["*"]).filter { name in
            let packs = content.packs(named: name)
            return !packs.isEmpty && Set(packs).isDisjoint(with: asked)
        }
        return unasked.sorted().map {
            diagnostic(
                "no request asks for '\($0)', so its fault would never happen", for: $0,
                hint: "name one that is requested: \(asked.map(\.displayName).sorted().listed())")
        }
    }
}

extension Cell {
    /// Names that must each mean exactly one pack: that of `{url}`, and those that files are compared with.
    package var singlePacks: [String] {
        var names = expectations.files.compactMap { file in
            if case .pack(let name) = file.content { name } else { nil }
        }
        if let pack = workload.command?.pack { names.append(pack) }
        return Set(names).sorted()
    }

    /// The packs that the cell names; all of them if its client may ask for any.
    package func neededPacks(of content: PreparedContent) -> [ServedPack] {
        if let command = workload.command, command.pack == nil || command.placeholders.contains(.manifest) {
            return content.site.packs
        }
        let names = singlePacks + expectations.namedPacks + omitted + linkFaults.compactMap(\.trigger.pack)
        let needed = Set(names.flatMap { content.packs(named: $0) }.map(\.identifier))
            .union(askedSizes(content).keys)
        return content.site.packs.filter { needed.contains($0.identifier) }
    }
}

extension Expectations {
    /// Whether a request must become available, and nothing else.
    fileprivate func areAvailable(_ request: String) -> Bool {
        let all = requests.filter { $0.request == nil || $0.request == request }.map(\.expectation)
        let callbacks = all.filter { !$0.isAboutAnswer }
        return (callbacks.isEmpty == all.isEmpty)
            && callbacks.allSatisfy { if case .available = $0 { true } else { false } }
    }
}
