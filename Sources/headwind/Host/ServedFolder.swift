import AssetPacks
import PackFormat
import Reports
import Scenarios
import SystemPackage
import Wording

/// The folder that `headwind host` serves.
struct ServedFolder {
    let path: FilePath
    /// Whether every file in it is a pack of its own.
    let isOfFiles: Bool
    /// Whether the manifest keeps addresses that name other hosts; false by default.
    var keepsAddresses = false
    /// The folder for archives of packs that are folders; nil, the default, refuses such packs.
    var archives: FilePath?

    /// The content to serve; throws ``CommandFailure`` with a remedy if the folder cannot be served.
    func site() throws -> Site {
        guard let type = try? path.stat().type else {
            throw CommandFailure.invalidInput("Could not serve '\(path)': there is no such folder.")
        }
        guard type == .directory else {
            throw CommandFailure.invalidInput(
                "Could not serve '\(path)': it is a file. Give its folder, and add --packs.")
        }
        guard isOfFiles || Site.manifestFile(in: path) != nil else {
            throw CommandFailure.invalidInput(
                "Could not serve '\(path)': it has no \(Site.manifestName) and no \(Site.downloadManifestName). Add --packs to serve its files as they are, or "
                    + "build packs of them: headwind pack build \(path.string.shellQuoted) --by-folder --output packs")
        }
        do {
            guard !isOfFiles else { return try Site.files(directory: path) }
            let site = try Site.load(directory: path, archives: archives, mayLack: true)
            return keepsAddresses ? site : try site.withOwnAddresses()
        } catch {
            throw CommandFailure.invalidInput("\(error)")
        }
    }

    /// Warnings about the content, a line each: missing packs, and packs that no store accepts.
    static func warnings(_ site: Site, in folder: String) -> [String] {
        var warnings: [String] = []
        if !site.missing.isEmpty {
            let names = site.missing.map { NameText.visible($0.name) }.quoted(most: 3)
            let packs = site.missing.count == 1 ? "a pack" : "\(site.missing.count) packs"
            let verb = site.missing.count == 1 ? "is" : "are"
            warnings.append(
                "the manifest names \(packs) that \(verb) not in '\(folder)', and requests get status 404: \(names)"
            )
        }
        let manifest = try? AssetPackManifest(plist: site.manifest)
        let limits = Limits.standard(for: manifest?.delivery ?? .onDemandResources)
        return warnings + limits.findings(of: manifest?.resources ?? []).map(\.description)
    }
}

extension Site {
    /// Throws ``CommandFailure`` for a fault that would never be played, because its pack is not served.
    func check(_ faults: [HostFault]) throws(CommandFailure) {
        for fault in faults where !isCalled(fault.pack) {
            let hint = NearestName.hint(for: fault.pack, in: names) ?? "there are \(names.listed())"
            throw CommandFailure.usage("--fault: the host serves no pack named '\(fault.pack)'; \(hint)")
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
