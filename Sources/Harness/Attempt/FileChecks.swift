import FoundationEssentials
import PackFormat
import Scenarios
import SystemPackage

/// Whether a workload left the files that its scenario expects.
struct FileChecks {
    let context: CellContext
    let folder: AttemptFolder

    func check() -> [AttemptTrace.FileCheck] {
        context.cell.expectations.files.map { file in
            .init(name: file.name, problem: problem(file))
        }
    }

    private func problem(_ file: Expectations.File) -> String? {
        let path = folder.output.appending(file.name)
        let wanted: String
        switch file.content {
        case .sha256(let digest): wanted = digest
        case .pack(let name):
            guard let pack = context.content?.pack(named: name) else {
                return "cannot be compared: no such pack"
            }
            wanted = pack.sha256
        }
        do {
            let found = try Digest.sha256Hex(of: path)
            return found == wanted ? nil : "has other content (SHA-256 \(found.prefix(12))…, not \(wanted.prefix(12))…)"
        } catch {
            return "could not be read: \(error)"
        }
    }
}
