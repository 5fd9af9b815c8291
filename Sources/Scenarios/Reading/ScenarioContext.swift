import LinuxSupport
import SystemPackage
import Wording

/// What the decoders of a scenario need in addition to its text.
struct ScenarioContext {
    /// The folder of the scenario's file, which relative paths start from.
    let folder: FilePath
    let profiles: ProfileLoader
    let schedules = ScheduleLoader()
    /// Whether budgets may compare with a baseline.
    var hasBaseline = true

    /// A path of an existing file or folder, relative to the scenario's file; the result is absolute.
    func path(_ expected: String, isFolder: Bool) -> FieldDecoder<FilePath> {
        FieldDecoder<String>.text.then(expected, schema: { SchemaNode.scalar(expected) }) { text, node, problems in
            let path = folder.pushing(FilePath(text))
            guard FolderListing.exists(path) else {
                return problems.refuse(
                    "there is no \(isFolder ? "folder" : "file") '\(path)'", at: node.mark, hint: nearest(to: path))
            }
            guard FolderListing.isFolder(path) == isFolder else {
                return problems.refuse(
                    "'\(path)' is \(isFolder ? "not a" : "a") folder", at: node.mark, hint: "\(expected) is expected")
            }
            return path.whole
        }
    }

    private func nearest(to path: FilePath) -> String {
        let names = FolderListing.names(path.removingLastComponent()) ?? []
        return path.lastComponent.flatMap { NearestName.hint(for: $0.string, in: names) }
            ?? "paths are relative to the scenario's file"
    }
}
