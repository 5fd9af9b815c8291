import Evidence
import PackFormat
import Scenarios
import SystemPackage

/// Checks whether a workload left the files that its scenario expects.
struct FileChecks {
    let context: CellContext
    let folder: AttemptFolder
    /// Whether the command reported success, so that the file it left counts as the pack.
    let hasSucceeded: Bool

    /// The check of each expected file, and of the one at `{output}` if that is the pack, or must be.
    func check() -> [AttemptTrace.FileCheck] {
        let expected = context.cell.expectations.files.map(check)
        guard let output,
            !expected.contains(where: { $0.name == output.name || $0.digest == output.digest && $0.problem == nil })
        else { return expected }
        return expected + [output]
    }

    /// The sizes in bytes of the files that a command must download, by name, if they exist.
    func sizes() -> [String: Int64] {
        guard !context.cell.workload.isBuiltIn else { return [:] }
        let names = Set(context.cell.expectations.files.map(\.name) + [context.cell.outputName])
        var sizes: [String: Int64] = [:]
        for name in names {
            sizes[name] = try? folder.result(name).size
        }
        return sizes
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
            (result.digest, result.pack) = (pack.sha256, pack.identifier)
            compare(&result, with: pack)
            return result
        }
        compare(&result, with: nil)
        return result
    }

    /// Notes what is wrong with a file; the client may have made anything.
    private func compare(_ check: inout AttemptTrace.FileCheck, with pack: ServedPack?) {
        do throws(ContainedFile.Fault) {
            let file = try folder.result(check.name)
            check.bytes = file.size
            let leading = pack.map { context.cell.leadingZeros(of: $0, context.content) } ?? 0
            if let pack, file.size != leading + pack.size {
                check.problem = "has \(file.size) bytes, and not \(leading + pack.size)"
            } else if let pack, leading > 0 {
                check.wrongByte = try file.firstDifference(fromZeros: leading, thenFrom: pack.file)
                check.problem = check.wrongByte.map { "has different content from byte \($0) on" }
                return
            } else if file.size > Self.mostBytes {
                check.problem = "is larger than \(Self.mostBytes) bytes, the most that is read"
            } else {
                let (found, digest) = (try file.sha256Hex(), check.digest)
                guard found != digest else { return }
                check.problem = "has different content (SHA-256 \(found.prefix(12))…, not \(digest.prefix(12))…)"
            }
            check.wrongByte = try pack.flatMap { pack throws(ContainedFile.Fault) in
                try file.firstDifference(fromZeros: leading, thenFrom: pack.file)
            }
        } catch {
            check.problem = check.problem ?? error.description
        }
    }

    /// The check of the file at `{output}`; nil if it neither exists nor must, or is not the pack and need not be.
    ///
    /// A command without `{output}` may store its pack elsewhere, in any form. But a file with the pack's content must
    /// have come through the link, and the file of a command that reports success must be the pack.
    private var output: AttemptTrace.FileCheck? {
        guard let command = context.cell.workload.command, let name = command.pack,
            let pack = context.content?.pack(named: name), command.leavesOutput || (try? folder.result(name)) != nil
        else { return nil }
        var check = AttemptTrace.FileCheck(name: name, digest: pack.sha256, pack: pack.identifier)
        compare(&check, with: pack)
        return check.problem == nil || hasSucceeded ? check : nil
    }

    /// The largest file that is read if its expected size is unknown, 64 GB: a minute's work.
    private static let mostBytes: Int64 = 64_000_000_000
}
