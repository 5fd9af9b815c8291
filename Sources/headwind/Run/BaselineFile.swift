import FoundationEssentials
import LinuxSupport
import ResultFiles
import Results
import SystemPackage

/// A file of `--save-baseline`.
struct BaselineFile {
    let path: FilePath

    /// The most bytes that are read: a thousand cells with a hundred attempts have half as many.
    static let mostBytes = 128 << 20

    /// A path that is not whole begins in the current folder.
    init(_ path: FilePath) {
        self.path = FilePath(FileManager.default.currentDirectoryPath).pushing(path)
    }

    /// Whether there is anything at its path.
    var isThere: Bool { FileManager.default.fileExists(atPath: path.string) }

    /// Reads it whole.
    ///
    /// Throws `CommandFailure` for what is none.
    func read() throws -> StoredBaseline {
        let bytes: [UInt8]
        do {
            bytes = try BoundedFile.read(path, most: Self.mostBytes)
        } catch {
            throw CommandFailure(
                status: .invalidInput,
                description: "The baseline '\(path)' \(error). Give a file of 'headwind run --save-baseline'.")
        }
        guard bytes.count <= Self.mostBytes else {
            throw CommandFailure(
                status: .invalidInput,
                description: "The baseline '\(path)' is larger than the limit of \(Self.mostBytes >> 20) MiB.")
        }
        do { return try StoredBaseline(json: Data(bytes)) } catch {
            throw CommandFailure(status: .invalidInput, description: "\(path): \(error)")
        }
    }

    /// Reads it where it is a baseline; nil for any other file.
    ///
    /// Throws `CommandFailure` for a baseline of another version.
    func readIfBaseline() throws -> StoredBaseline? {
        guard let bytes = try? BoundedFile.read(path, most: Self.mostBytes), bytes.count <= Self.mostBytes else {
            return nil
        }
        do { return try StoredBaseline(json: Data(bytes)) } catch {
            guard case .unknownBaseline = error else { return nil }
            throw CommandFailure(status: .invalidInput, description: "\(path): \(error)")
        }
    }

    /// Writes it whole, in the place of one that is there; where that fails the other is left.
    func write(_ baseline: StoredBaseline) throws {
        do { try AtomicFile.write(try baseline.json(), to: path) } catch let error as Errno {
            throw CommandFailure(
                status: ExitStatus(cannotWrite: error),
                description: "Could not write the baseline '\(path)': \(error). "
                    + "Give a file in an existing, writable folder.")
        }
    }
}
