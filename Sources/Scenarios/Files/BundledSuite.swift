package import SystemPackage
import Wording

/// The scenarios that come with Headwind: the main suite, and further suites in subfolders, by name.
package struct BundledSuite: Sendable {
    /// The folder that holds the main suite, and the folders of the others.
    private let root: FilePath

    /// The suites that come with this program; nil if their folder is not found.
    package init?() {
        guard let root = BundledFiles.folder("scenarios") else { return nil }
        self.init(root: root)
    }

    init(root: FilePath) { self.root = root }

    /// The names of the further suites, without the main suite, which needs no name.
    package var names: [String] {
        (FolderListing.names(root) ?? []).filter { name in
            let folder = root.appending(name)
            return FolderListing.isFolder(folder) && (FolderListing.names(folder) ?? []).contains(where: \.isYAMLName)
        }
    }

    /// The files of the main suite, without those of the others.
    package var files: [FilePath] { (FolderListing.names(root) ?? []).filter(\.isYAMLName).map { root.appending($0) } }

    /// The folder of a further suite; nil if there is none of this name.
    package func folder(_ name: String) -> FilePath? { names.contains(name) ? root.appending(name) : nil }

    /// The hint of an error about an unknown suite: the nearest name, or all names.
    package func hint(for name: String) -> String {
        NearestName.hint(for: name, in: names) ?? "the suites are \(names.joined(separator: ", "))"
    }
}
