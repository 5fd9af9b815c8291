import FoundationEssentials
package import PackFormat
package import Scenarios
package import SystemPackage

/// Copies of the packs that a cell serves, in the folder of its scenario.
package struct PackCopies: Sendable {
    /// The sources of files to copy, by their paths in the folder.
    private let packs: [String: FilePath]
    /// Manifests and tag tables of the packs, by their paths in the folder.
    private let lists: [String: [UInt8]]

    /// The copies of packs of at most `most` bytes in total; nil if they are larger.
    ///
    /// It is also nil for Headwind's own catalogs, which have names, and for a cell that gets an update: copied packs
    /// are not a catalog, and an update needs one.
    package init?(of cell: Cell, _ site: Site?, most: Int64) {
        switch cell.content {
        case .catalog(.builtIn), .catalog(.builtInBackgroundAssets): return nil
        case .catalog, .packs, .host, .network: break
        }
        guard cell.workload.updates.isEmpty, let site, !site.packs.isEmpty,
            site.packs.map(\.size).reduce(0, +) <= most
        else { return nil }
        let folder = ScenarioBundle.packsFolder
        if cell.content.delivery == .backgroundAssets {
            let files = site.packs.map { ("\(folder)/\($0.file.lastComponent?.string ?? "")", $0.file) }
            packs = Dictionary(files) { first, _ in first }
            lists = ["\(folder)/\(Site.downloadManifestName)": site.manifest]
            return
        }
        if case .packs(let directory) = cell.content, Site.manifestFile(in: directory) == nil {
            packs = Dictionary(site.packs.map { ("\(folder)/\($0.identifier)", $0.file) }) { first, _ in first }
            lists = [:]
            return
        }
        let files = site.packs.map {
            ("\(folder)/\(Site.packsFolderName)/\($0.file.lastComponent?.string ?? "")", $0.file)
        }
        packs = Dictionary(files) { first, _ in first }
        var lists = ["\(folder)/\(Site.manifestName)": site.manifest]
        if let table = site.tagTable { lists["\(folder)/\(Site.tagTableName)"] = table }
        self.lists = lists
    }

    /// Writes the copies into a folder, where the files must not exist; throws the errors of the system.
    package func write(to folder: FilePath) throws {
        for (file, bytes) in lists { try BundleDraft.write(bytes, to: folder.appending(file)) }
        for (file, source) in packs {
            let target = folder.appending(file)
            try target.makeParent()
            try FileManager.default.copyItem(atPath: source.string, toPath: target.string)
        }
    }
}
