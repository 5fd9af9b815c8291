import FoundationEssentials
import SystemPackage

/// Lists folders, and checks what is at a path.
enum FolderListing {
    /// The names in `folder`, sorted, without hidden ones; nil if it cannot be listed.
    static func names(_ folder: FilePath) -> [String]? {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.string)
        return names?.filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Whether `path` is a folder, or, unless `orLink` is false, a link to one.
    static func isFolder(_ path: FilePath, orLink: Bool = true) -> Bool {
        (try? path.stat(followTargetSymlink: orLink))?.type == .directory
    }

    /// Whether there is anything at `path`.
    static func exists(_ path: FilePath) -> Bool { (try? path.stat()) != nil }
}

extension String {
    /// Whether this is the name of a YAML file.
    var isYAMLName: Bool { hasSuffix(".yaml") || hasSuffix(".yml") }
}
