import Glibc
import PackFormat
import Scenarios
import SystemPackage

/// Whether a workload left the files that its scenario expects.
struct FileChecks {
    let context: CellContext
    let folder: AttemptFolder

    /// Each file that is expected, and the one at `{output}` where it holds the whole pack.
    func check() -> [AttemptTrace.FileCheck] {
        let expected = context.cell.expectations.files.map(check)
        guard let output, !expected.contains(where: { $0.digest == output.digest && $0.problem == nil }) else {
            return expected
        }
        return expected + [output]
    }

    private func check(_ file: Expectations.File) -> AttemptTrace.FileCheck {
        var result = AttemptTrace.FileCheck(name: file.name, digest: "")
        switch file.content {
        case .sha256(let digest): result.digest = digest
        case .pack(let name):
            guard let pack = context.content?.pack(named: name) else {
                result.problem = "cannot be compared: no such pack"
                return result
            }
            result.digest = pack.sha256
        }
        do {
            let found = try Digest.sha256Hex(of: folder.output.appending(file.name))
            if found != result.digest {
                result.problem =
                    "has other content (SHA-256 \(found.prefix(12))…, not \(result.digest.prefix(12))…)"
            }
        } catch {
            result.problem = "could not be read: \(error)"
        }
        return result
    }

    /// The file at `{output}`; nil where it does not hold the command's pack.
    ///
    /// Nothing is wrong with a command that stores its pack elsewhere, but content that is there must have come by the
    /// link.
    private var output: AttemptTrace.FileCheck? {
        guard case .command(let command) = context.cell.workload, let name = command.pack,
            let pack = context.content?.pack(named: name), let path = try? folder.outputFile(name)
        else { return nil }
        var status = stat()
        guard stat(path.string, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == pack.size,
            (try? Digest.sha256Hex(of: path)) == pack.sha256
        else { return nil }
        return AttemptTrace.FileCheck(name: name, digest: pack.sha256)
    }
}
