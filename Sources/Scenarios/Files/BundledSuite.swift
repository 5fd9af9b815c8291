package import SystemPackage
import Wording

/// The scenarios that come with Headwind: the suite itself, and others in folders of its own, by their names.
package struct BundledSuite: Sendable {
    /// The folder that holds the suite, and the others.
    private let root: FilePath

    /// What comes with this program; nil where it is nowhere.
    package init?() {
        guard let root = BundledFiles.folder("scenarios") else { return nil }
        self.init(root: root)
    }

    init(root: FilePath) { self.root = root }

    /// The names of the suites beside the one that needs none.
    package var names: [String] {
        (FolderListing.names(root) ?? []).filter { name in
            let folder = root.appending(name)
            return FolderListing.isFolder(folder) && (FolderListing.names(folder) ?? []).contains(where: \.isYAMLName)
        }
    }

    /// The scenarios of the suite that needs no name, without those of the others.
    package var files: [FilePath] {
        (FolderListing.names(root) ?? []).filter(\.isYAMLName).map { root.appending($0) }
    }

    /// The folder of a suite; nil where there is none of this name.
    package func folder(_ name: String) -> FilePath? { names.contains(name) ? root.appending(name) : nil }

    /// What to write in place of a name that is none.
    package func hint(for name: String) -> String {
        NearestName.hint(for: name, in: names) ?? "the suites are \(names.joined(separator: ", "))"
    }
}
