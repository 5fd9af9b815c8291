import FoundationEssentials
import Hunting
import LinkModel
import LinuxSupport
import PackFormat
import ResultFiles
import Scenarios
import SystemPackage
import Wording

/// The folder of a hunt: its pack and scenario, what was found, and a folder for each bug.
struct HuntFolder {
    let path: FilePath

    /// The folder that is named; where none is, `headwind-hunt`, or the first such name with a number that is free.
    ///
    /// Throws ``CommandFailure`` where there is something in it: nothing of an earlier hunt is lost.
    init(_ named: FilePath?) throws {
        let usual = FilePath("headwind-hunt")
        let names = named.map { [$0] } ?? [usual] + (2...1000).map { FilePath("\(usual)-\($0)") }
        let here = FilePath(FileManager.default.currentDirectoryPath)
        let free = names.map(here.pushing).first {
            !FileManager.default.fileExists(atPath: $0.string) || Self.isEmpty($0)
        }
        guard let free else {
            throw CommandFailure(
                status: .usage,
                description:
                    "Could not write to '\(names[0])': there is something in it. Name a new folder with --output.")
        }
        path = free.lexicallyNormalized()
    }

    /// Makes the folder where it is not there; throws ``CommandFailure``.
    func make() throws {
        do {
            try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
        } catch {
            throw Self.failure(path, error)
        }
    }

    private static func isEmpty(_ folder: FilePath) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.string))?.isEmpty == true
    }

    private static func failure(_ file: FilePath, _ error: any Error) -> CommandFailure {
        CommandFailure(
            status: error.isNoSpace ? .infrastructure : .usage,
            description: "Could not write '\(file)': \(error.systemReason). Name another folder with --output.")
    }

    /// Writes the pack and the scenario of a command; answers the scenario's file.
    func writeScenario(of command: [String], _ client: HuntedClientOptions) throws -> FilePath {
        try make()
        let packs = path.appending("packs")
        let file = packs.appending(Self.pack)
        do {
            try FileManager.default.createDirectory(atPath: packs.string, withIntermediateDirectories: true)
            try AtomicFile.write(Self.bytes(client.packSize), to: file)
        } catch {
            throw Self.failure(file, error)
        }
        let scenario = HuntScenario(
            words: command, directory: FilePath(FileManager.default.currentDirectoryPath), packs: "./packs",
            pack: Self.pack, patience: client.patience, within: client.longest,
            mostRedundant: ByteCount(client.packSize.bytes * Int64(client.mostBytes - 1)))
        let text = path.appending("hunt.yaml")
        try FileReplacement.write(scenario.text, to: text)
        return text
    }

    func write(_ report: HuntReport) throws {
        try make()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(report), as: UTF8.self)
        try FileReplacement.write(text + "\n", to: path.appending(HuntReport.fileName))
    }

    private static let pack = "level.bin"

    /// Bytes that no compression makes fewer, the same for each size.
    private static func bytes(_ size: ByteCount) -> [UInt8] {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<size.bytes).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }
}

/// The file in which a hunt keeps what is worth trying again.
struct HuntCorpusFile {
    private let file: FilePath

    /// Makes its folder where it is missing; throws ``CommandFailure``.
    init(_ folder: FilePath) throws {
        file = folder.appending(StoredCorpus.fileName)
        try OutputPlace(option: "--corpus", path: file, makesFolder: true).check()
    }

    /// What an earlier hunt kept; nil where there is none.
    func read() throws -> StoredCorpus? {
        guard FileManager.default.fileExists(atPath: file.string) else { return nil }
        do {
            let bytes = try BoundedFile.read(file, most: StoredCorpus.mostBytes)
            let corpus = try JSONDecoder().decode(StoredCorpus.self, from: Data(bytes))
            guard corpus.schema == StoredCorpus.currentSchema else { throw CorpusError.laterVersion(corpus.schema) }
            return corpus
        } catch {
            throw CommandFailure(
                status: .invalidInput,
                description: "Could not read '\(file)': it is no corpus of this version of Headwind. "
                    + "Name another folder with --corpus, or remove the file.")
        }
    }

    func write(_ corpus: StoredCorpus) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try FileReplacement.write(String(decoding: try encoder.encode(corpus), as: UTF8.self) + "\n", to: file)
    }

    private enum CorpusError: Error { case laterVersion(Int) }
}
