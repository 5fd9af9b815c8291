import Documents
import FoundationEssentials
import LinuxSupport
import ResultFiles
import Results
import SystemPackage

/// A baseline file, as `--save-baseline` writes it.
struct BaselineFile {
    let path: FilePath

    /// The largest file to read, 128 MiB: a thousand cells with a hundred attempts need half of that.
    static let mostBytes = 128 << 20

    /// A relative path begins in the current folder.
    init(_ path: FilePath) { self.path = path.absolute }

    /// Whether a file exists at its path.
    var isThere: Bool { FileManager.default.fileExists(atPath: path.string) }

    /// Reads the baseline.
    ///
    /// Throws `CommandFailure` if the file is no baseline.
    func read() throws -> StoredBaseline {
        let bytes: [UInt8]
        do {
            bytes = try BoundedFile.read(path, most: Self.mostBytes)
        } catch {
            throw CommandFailure(
                .invalidInput, "The baseline '\(path)' \(error). Give a file of 'headwind run --save-baseline'.")
        }
        guard bytes.count <= Self.mostBytes else {
            throw CommandFailure(
                .invalidInput, "The baseline '\(path)' is larger than the limit of \(Self.mostBytes >> 20) MiB.")
        }
        do { return try StoredBaseline(json: Data(bytes)) } catch {
            throw CommandFailure(.invalidInput, "\(path): \(error)")
        }
    }

    /// Reads the file if it is a baseline; nil for any other file.
    ///
    /// Throws `CommandFailure` for a baseline of another version.
    func readIfBaseline() throws -> StoredBaseline? {
        guard let bytes = try? BoundedFile.read(path, most: Self.mostBytes), bytes.count <= Self.mostBytes else {
            return nil
        }
        do { return try StoredBaseline(json: Data(bytes)) } catch {
            guard case .unknownBaseline = error else { return nil }
            throw CommandFailure(.invalidInput, "\(path): \(error)")
        }
    }

    /// Writes the baseline, and replaces an existing one; if that fails, the existing one stays.
    func write(_ baseline: StoredBaseline) throws {
        do { try AtomicFile.write(try baseline.jsonText().utf8, to: path) } catch let error as Errno {
            throw CommandFailure(
                ExitStatus(cannotWrite: error),
                "Could not write the baseline '\(path)': \(error). Give a file in an existing, writable folder.")
        }
    }
}
