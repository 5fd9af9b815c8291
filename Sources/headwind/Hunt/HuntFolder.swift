import Documents
import FoundationEssentials
import Hunting
import LinkModel
import LinuxSupport
import Scenarios
import SystemPackage

/// The folder of a hunt: its pack and scenario, its report, and a folder for each bug.
struct HuntFolder {
    private let folder: NewFolder

    /// The named folder, or `headwind-hunt` (with a number if that is taken); throws ``CommandFailure`` if it is not
    /// empty.
    init(_ named: FilePath?) throws { folder = try NewFolder(named, usual: "headwind-hunt") }

    var path: FilePath { folder.path }

    /// Writes the pack and the scenario of a command; returns the scenario's file.
    func writeScenario(of command: [String], _ client: HuntedClientOptions) throws -> FilePath {
        let packs = path.appending("packs")
        try folder.make(packs)
        try FileReplacement.write(Self.bytes(client.packSize), to: packs.appending(Self.pack))
        let text = HuntScenario.text(
            of: command, in: FilePath(FileManager.default.currentDirectoryPath), packs: "./packs", pack: Self.pack,
            patience: client.patience, within: client.longest,
            mostRedundant: ByteCount(client.packSize.bytes * Int64(client.mostBytes - 1)))
        return try write(text)
    }

    /// Writes the scenario of a program; returns its file.
    func writeScenario(
        of program: HuntedProgramOptions, _ words: [String], within longest: Duration?
    ) throws -> FilePath {
        try folder.make()
        return try write(program.scenario(of: words, within: longest).text)
    }

    private func write(_ scenario: String) throws -> FilePath {
        let file = path.appending("hunt.yaml")
        try FileReplacement.write(scenario, to: file)
        return file
    }

    func write(_ report: HuntReport) throws {
        try folder.make()
        try FileReplacement.write(try report.jsonText(), to: path.appending(HuntReport.fileName))
    }

    private static let pack = "level.bin"

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
        try OutputPlace(option: "--corpus", path: file, makesFolder: true).check()
    }

    /// The corpus of an earlier hunt; nil if there is no file.
    func read() throws -> StoredCorpus? {
        guard FileManager.default.fileExists(atPath: file.string) else { return nil }
        let bytes = try? BoundedFile.read(file, most: StoredCorpus.mostBytes)
        let corpus = bytes.flatMap { try? JSONDecoder().decode(StoredCorpus.self, from: Data($0)) }
        guard let corpus, corpus.schema == StoredCorpus.currentSchema else {
            throw CommandFailure(
                .invalidInput,
                "Could not read '\(file)': it is not a corpus of this version of Headwind. Choose another folder with "
                    + "--corpus, or remove the file.")
        }
        return corpus
    }

    func write(_ corpus: StoredCorpus) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let data = try corpus.fitting { try encoder.encode($0) }
        try FileReplacement.write(String(decoding: data, as: UTF8.self) + "\n", to: file)
    }
}
