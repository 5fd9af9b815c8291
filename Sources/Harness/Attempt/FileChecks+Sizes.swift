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
            sizes[name] = try? folder.result(name).size
        }
        return sizes
    }
}
