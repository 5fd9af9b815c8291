import PackFormat
import Scenarios
import Wording

extension Site {
    /// Throws ``CommandFailure`` for a fault that would never be played, because its pack is not served.
    func check(_ faults: [HostFault]) throws(CommandFailure) {
        for fault in faults where !isCalled(fault.pack) {
            let hint = NearestName.hint(for: fault.pack, in: names) ?? "there are \(names.listed())"
            throw CommandFailure(.usage, "--fault: the host serves no pack named '\(fault.pack)'; \(hint)")
        }
    }

    private func isCalled(_ name: String) -> Bool {
        if name == "*" || ["manifest", Self.manifestName].contains(name) { return true }
        if tagTable != nil, ["tag-table", Self.tagTableName].contains(name) { return true }
        return packs.contains { $0.isCalled(name) }
    }

    /// The names that a fault may use: tags first, since they are short.
    private var names: [String] {
        let tags = Set(packs.flatMap(\.tags)).sorted()
        let files = packs.compactMap { $0.file.lastComponent?.string }
        var seen: Set<String> = []
        return (tags + files + ["manifest"] + (tagTable == nil ? [] : ["tag-table"])).filter {
            seen.insert($0).inserted
        }
    }
}
