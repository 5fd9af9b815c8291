import FoundationEssentials
import Glibc
import Reports
import Results
import SystemPackage

/// Copies the files that cells name into another folder.
///
/// A result may be from anywhere. A path in it counts only if it is directly in the folder for such files. Links, and
/// anything else that is neither a file nor a folder, are not copied. Files and bundles of the same names are replaced:
/// a merge that was killed may have left them.
struct MergedFiles {
    let output: FilePath
    /// Files that a cell names and that do not exist, by folder and name.
    private(set) var missing: [String] = []
    /// The folder that each copied file is from.
    private var sources: [String: FilePath] = [:]

    /// The largest file in bytes, and the most levels and files of a bundle.
    private static let mostBytes: Int64 = 1 << 30
    private static let mostDepth = 6
    private static let mostFiles = 10_000

    init(output: FilePath) { self.output = output }

    /// Copies the files of a cell's attempts.
    mutating func copy(
        _ attempts: [(number: Int, schedule: String?)], of cell: String, from folder: FilePath
    ) throws {
        for (number, schedule) in attempts {
            if let schedule, try !copyFile(schedule, in: CellFiles.schedules, from: folder) {
                missing.append("\(folder)/\(schedule)")
            }
            let capture = "\(CellFiles.captures)/" + CellFiles.capture(cell, attempt: number)
            _ = try copyFile(capture, in: CellFiles.captures, from: folder)
        }
    }

    /// Copies a cell's bundle, and returns the cell with its new replay command.
    mutating func copyBundle(of cell: CellResult, from folder: FilePath) throws -> CellResult {
        var cell = cell
        guard let bundle = cell.bundle else { return cell }
        if try copyBundle(bundle, from: folder) {
            cell.replayCommand = BundleDraft.command(at: output.appending(bundle))
        } else {
            missing.append("\(folder)/\(bundle)")
            (cell.bundle, cell.replayCommand) = (nil, nil)
            cell.notes.append("its bundle was missing when the results were merged")
        }
        return cell
    }

    private mutating func copyFile(_ path: String, in name: String, from folder: FilePath) throws -> Bool {
        guard let source = CellFiles.place(path, in: name, of: folder), source.fileType == .regular else {
            return false
        }
        let target = try claim(path, in: name, from: folder)
        if target.fileType == .regular { unlink(target.string) }
        try Self.copy(source, to: target)
        return true
    }

    private mutating func copyBundle(_ path: String, from folder: FilePath) throws -> Bool {
        let name = CellFiles.bundles
        guard let source = CellFiles.place(path, in: name, of: folder), source.isFolder else { return false }
        let target = try claim(path, in: name, from: folder)
        try BundlePlace(target).write { work in
            var left = Self.mostFiles
            try Self.copyFolder(source, to: work, depth: 0, &left)
        }
        return true
    }

    /// The location of a path in the output folder, whose subfolder is made; only one cell may use a name.
    private mutating func claim(_ path: String, in name: String, from folder: FilePath) throws -> FilePath {
        if let other = sources.updateValue(folder, forKey: path) { throw MergeError.sameFile(path, other, folder) }
        try Self.makeFolder(output.appending(name))
        return output.pushing(FilePath(path))
    }

    private static func copyFolder(_ source: FilePath, to target: FilePath, depth: Int, _ left: inout Int) throws {
        guard depth < mostDepth else { return }
        try makeFolder(target)
        for name in try FileManager.default.contentsOfDirectory(atPath: source.string).sorted() {
            guard left > 0 else { return }
            left -= 1
            switch source.appending(name).fileType {
            case .directory?:
                try copyFolder(source.appending(name), to: target.appending(name), depth: depth + 1, &left)
            case .regular?: try copy(source.appending(name), to: target.appending(name))
            default: break
            }
        }
    }

    private static func makeFolder(_ path: FilePath) throws {
        guard mkdir(path.string, 0o755) == 0 || (errno == EEXIST && path.isFolder) else {
            throw ResultFileError.notWritten(path, reason: Errno(rawValue: errno).description)
        }
    }

    private static func copy(_ source: FilePath, to target: FilePath) throws {
        do {
            let file = try FileDescriptor.open(source, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
            try file.closeAfter {
                // Existing files, and above all links, are never written to.
                let copy = try FileDescriptor.open(
                    target, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec, .noFollow],
                    permissions: [.ownerReadWrite, .groupRead, .otherRead])
                try copy.closeAfter { try pour(file, into: copy) }
            }
        } catch {
            throw ResultFileError.notWritten(target, reason: "'\(source)': \(error.systemReason)")
        }
    }

    private static func pour(_ file: FileDescriptor, into copy: FileDescriptor) throws {
        var left = mostBytes
        try file.readBlocks(of: 1 << 18) { block in
            left -= Int64(block.count)
            guard left >= 0 else { throw OversizedInput(what: "it", most: mostBytes) }
            try copy.writeAll(block)
        }
    }
}
