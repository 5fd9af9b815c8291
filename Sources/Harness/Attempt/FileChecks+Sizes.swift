import PackFormat
import Scenarios
import SystemPackage

extension FileChecks {
    /// Bytes of the files that a command was to download, by their names, where they are there.
    func sizes() -> [String: Int64] {
        guard case .command = context.cell.workload else { return [:] }
        let names = Set(context.cell.expectations.files.map(\.name) + [context.cell.outputName])
        var sizes: [String: Int64] = [:]
        for name in names {
            guard let path = folder.output.lexicallyResolving(FilePath(name)) else { continue }
            sizes[name] = try? ContainedFile(path, below: folder.output).size
        }
        return sizes
    }
}
