import Results
import SystemPackage

extension CellFiles {
    /// The location of a result's path, if it is directly in the folder `name` of the results and that is not a link.
    ///
    /// A result may be from anywhere: nil for any other path.
    static func place(_ path: String, in name: String, of folder: FilePath) -> FilePath? {
        let path = FilePath(path)
        guard path.root == nil, path.components.count == 2, path.components.first?.string == name,
            path.components.allSatisfy({ $0.kind == .regular }), path.string.utf8.count < 1000,
            folder.appending(name).isFolder
        else { return nil }
        return folder.pushing(path)
    }
}
