import Synchronization
package import SystemPackage

/// The files that were read for scenarios, and the files and folders that scenarios name.
///
/// Another machine needs all of them to run the same scenarios.
package final class FilesRead: Sendable {
    /// Collects each file while scenarios are read; nil: files are not collected.
    @TaskLocal package static var current: FilesRead?

    private let read = Mutex<Set<FilePath>>([])

    package init() {}

    /// The paths as they were named, sorted.
    package var paths: [FilePath] { read.withLock { $0.sorted { $0.string < $1.string } } }

    /// Notes a file that is read, or a folder that a scenario names.
    package func note(_ path: FilePath) { read.withLock { _ = $0.insert(path) } }

    /// Notes the files and folders that a cell names: catalogs, packs, and a command's folder and program, if it is a
    /// path.
    package func note(_ cell: Cell) {
        switch cell.content {
        case .catalog(let catalog): note(catalog)
        case .packs(let folder): note(folder)
        case .host, .network: break
        }
        for catalog in cell.workload.updates { note(catalog) }
        guard case .command(let command) = cell.workload else { return }
        if let directory = command.directory { note(directory) }
        if let program = command.call.program, program.contains("/") { note(FilePath(program)) }
    }

    private func note(_ catalog: Content.Catalog) {
        switch catalog {
        case .builtIn, .builtInBackgroundAssets: break
        case .folder(let folder, let tags):
            note(folder)
            note(tags)
        case .byFolder(let folder), .backgroundAssets(let folder): note(folder)
        }
    }
}
