import Documents
import FoundationEssentials
import Glibc
import Hunting
import LinkModel
import LinuxSupport
import PackFormat
import SystemPackage

/// The folder of a hunt: its report, a folder for each bug, and the pack while the hunt goes on.
struct HuntFolder {
    private let folder: NewFolder
    private let isNew: Bool

    /// The name of the folder of the pack in it.
    static let packs = "packs"

    /// The named folder, or `headwind-hunt` (with a number if that is taken); throws ``CommandFailure`` if it is not
    /// empty.
    init(_ named: FilePath?) throws {
        folder = try NewFolder(named, usual: "headwind-hunt")
        isNew = !FileManager.default.fileExists(atPath: folder.path.string)
    }

    var path: FilePath { folder.path }

    private var packs: FilePath { path.appending(Self.packs) }

    /// Makes the folder, which no other hunt then takes for an empty one; throws ``CommandFailure``.
    func make() throws {
        try folder.make()
        // Of two hunts that begin in the same folder, only one makes this one.
        guard mkdir(packs.string, 0o777) != 0 else { return }
        let error = Errno(rawValue: errno)
        guard error != .fileExists else {
            throw CommandFailure.usage(
                "Could not write to '\(path)': another hunt uses it. Choose a new folder with --output.")
        }
        throw CommandFailure(
            error.isNoSpace ? .infrastructure : .usage,
            "Could not create '\(packs)': \(error). Choose another folder with --output.")
    }

    /// A sentence about the pack, which an end without clean-up leaves behind; nil if it is not there.
    var remains: String? {
        FileManager.default.fileExists(atPath: packs.string) ? "'\(packs)' remains: remove it." : nil
    }

    /// Writes a pack of this size for clients to download; returns its name.
    func writePack(_ size: ByteCount) throws -> String {
        let name = "level.bin"
        try FileReplacement.write(Self.bytes(size), to: packs.appending(name))
        return name
    }

    /// Removes the pack, of which each bug's folder has a copy, and the folder if nothing else is in it.
    func tidy() {
        try? FileManager.default.removeItem(atPath: packs.string)
        // It fails if the folder is not empty.
        if isNew { rmdir(path.string) }
    }

    func write(_ report: HuntReport) throws {
        try folder.make()
        try FileReplacement.write(try report.jsonText(), to: path.appending(HuntReport.fileName))
    }

    /// Incompressible bytes, always the same for a size.
    private static func bytes(_ size: ByteCount) -> [UInt8] {
        var random = SeededGenerator(seed: 1)
        return (0..<size.bytes).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}

/// The file in which a hunt stores the faults that are worth trying again.
struct HuntCorpusFile {
    private let file: FilePath

    /// Makes its folder if it is missing; throws ``CommandFailure``.
    init(_ folder: FilePath) throws {
        file = folder.appending(StoredCorpus.fileName)
        try FileReplacement.check(file, of: "--corpus", makesFolder: true)
    }

    /// The corpus of an earlier hunt; nil if there is no file.
    func read() throws -> StoredCorpus? {
        guard FileManager.default.fileExists(atPath: file.string) else { return nil }
        let bytes = try BoundedFile.read(file, most: StoredCorpus.mostBytes) { failure("it \($0)") }
        let corpus = try? JSONDecoder().decode(StoredCorpus.self, from: Data(bytes))
        guard let corpus, corpus.schema == StoredCorpus.currentSchema else {
            throw failure("it is not a corpus of this version of Headwind")
        }
        return corpus
    }

    private func failure(_ reason: String) -> CommandFailure {
        CommandFailure.invalidInput(
            "Could not use '\(file)': \(reason). Choose another folder with --corpus, or remove the file.")
    }

    func write(_ corpus: StoredCorpus) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let data = try corpus.fitting { try encoder.encode($0) }
        try FileReplacement.write(String(decoding: data, as: UTF8.self) + "\n", to: file)
    }
}
