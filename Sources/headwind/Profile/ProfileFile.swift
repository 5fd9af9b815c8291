import FoundationEssentials
import Glibc
import LinkModel
import PackFormat
import Scenarios
import SystemPackage
import Wording

/// A profile, and the file to write it to; a nil path is stdout.
struct ProfileFile {
    let profile: Profile
    let path: FilePath?

    /// Throws ``CommandFailure`` if the file exists already, so that none is lost.
    static func checkAbsence(of path: FilePath) throws {
        guard FileManager.default.fileExists(atPath: path.string) else { return }
        throw CommandFailure(.usage, "could not write '\(path)': it already exists; remove it, or choose another file")
    }

    /// Writes the profile; `traces` are the names of the files of its traces.
    func write(traces: [Direction: String] = [:]) throws {
        let text = profile.text(traces: traces)
        guard let path else { return Console.out(TerminalText(report: String(text.dropLast()))) }
        try Self.write(Array(text.utf8), to: path)
        Console.note("wrote '\(path)'")
    }

    static func write(_ bytes: [UInt8], to path: FilePath) throws {
        do {
            let folder = path.removingLastComponent().string
            if !folder.isEmpty {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            do { try file.closeAfter { _ = try file.writeAll(bytes) } } catch {
                unlink(path.string)
                throw error
            }
        } catch {
            throw CommandFailure(
                error.isNoSpace ? .infrastructure : .failed, "could not write '\(path)': \(error.systemReason)")
        }
    }
}

/// The files of traces, and their names in the profile.
struct TraceFiles {
    /// Their names in the profile: paths relative to its folder.
    let names: [Direction: String]
    /// The traces outside that folder, and the paths to copy them to.
    private let copies: [(bytes: [UInt8], path: FilePath)]

    /// Throws ``CommandFailure`` if the profile goes to stdout, and could not refer to the traces.
    init(downlink: ProfileImport.Trace, uplink: ProfileImport.Trace?, beside file: ProfileFile) throws {
        let folder = file.path?.removingLastComponent() ?? ""
        var copies: [(bytes: [UInt8], path: FilePath)] = []
        func name(_ trace: ProfileImport.Trace, _ direction: String) throws -> String {
            if let name = Self.name(of: trace.file, below: folder) { return name }
            guard file.path != nil else {
                throw CommandFailure(
                    .usage,
                    "the trace '\(trace.file)' is not below this folder, where the profile would look for it; use "
                        + "--output, which copies it")
            }
            let name = "\(file.profile.name).\(direction)"
            copies.append((trace.bytes, folder.appending(name)))
            return name
        }
        var names = [Direction.downlink: try name(downlink, "down")]
        names[.uplink] = try uplink.map { try name($0, "up") }
        self.names = names
        self.copies = copies
    }

    func checkAbsence() throws {
        for copy in copies { try ProfileFile.checkAbsence(of: copy.path) }
    }

    func copy() throws {
        for copy in copies { try ProfileFile.write(copy.bytes, to: copy.path) }
    }

    /// The path of a file relative to `folder`; nil if it is not inside, also through links.
    private static func name(of file: FilePath, below folder: FilePath) -> String? {
        let base = folder.isEmpty ? FilePath(".") : folder
        guard let whole = try? ContainedFile.resolve(file, below: base) else { return nil }
        var path = whole
        let root = FilePath(URL(filePath: base.string).resolvingSymlinksInPath().path)
        guard path.removePrefix(root), !path.isEmpty else { return nil }
        return path.string
    }
}
