import Documents
import LinkModel
import LinuxSupport
import PackFormat
import SystemPackage

/// Reads Mahimahi traces from files in a folder.
struct TraceReader {
    /// nil for a profile that is not in a file, and so cannot name others.
    let folder: FilePath?

    /// The maximum size of a trace, 256 MiB: an hour at 100 Mbit/s.
    static let mostBytes = 256 << 20

    /// The path of a trace, or the trace itself.
    var decoder: FieldDecoder<DeliveryTrace> {
        .either(file, .mapping("an inline trace") { fields in fields.required("milliseconds", Self.milliseconds) })
    }

    /// The times of a trace, separated by spaces.
    private static var milliseconds: FieldDecoder<DeliveryTrace> {
        .scalar("whole numbers of milliseconds, not decreasing, such as 0 1 4", upTo: YAMLText.mostBytes) { text in
            do throws(DeliveryTrace.Malformed) {
                let lines = text.split { $0.isWhitespace }.joined(separator: "\n")
                return .value(try DeliveryTrace(mahimahi: lines))
            } catch {
                return .wrong(error.line == 0 ? error.reason : "number \(error.line): \(error.reason)", hint: nil)
            }
        }
    }

    /// The path of a trace, relative to the folder, and not outside of it.
    private var file: FieldDecoder<DeliveryTrace> {
        FieldDecoder<String>.text.then("the path of a trace file") { name, node, problems in
            guard let folder else {
                return problems.refuse(
                    "a profile in a request cannot read a file", at: node.mark,
                    hint: "write the trace inline: {\"milliseconds\": \"0 1 4\"}")
            }
            let relative = FilePath(name)
            guard relative.isRelative, let path = folder.lexicallyResolving(relative) else {
                let message = "the trace '\(name.abbreviated)' is outside the folder of this file"
                return problems.refuse(message, at: node.mark, hint: "copy it there and name it by its relative path")
            }
            return read(path, below: folder, node, problems)
        }
    }

    /// Throws if a symbolic link leads out of the folder.
    private func checkPlace(of path: FilePath, below folder: FilePath) throws {
        guard FolderListing.exists(path) else { return }
        _ = try ContainedFile.resolve(path, below: folder.isEmpty ? "." : folder)
    }

    private func read(
        _ path: FilePath, below folder: FilePath, _ node: YAMLNode, _ problems: Problems
    ) -> DeliveryTrace? {
        do {
            try checkPlace(of: path, below: folder)
            let bytes = try BoundedFile.read(path, most: Self.mostBytes)
            FilesRead.current?.note(path)
            guard bytes.count <= Self.mostBytes else {
                return problems.refuse("the trace '\(path)' is larger than 256 MiB", at: node.mark)
            }
            return try DeliveryTrace(mahimahi: String(decoding: bytes, as: UTF8.self))
        } catch let error as DeliveryTrace.Malformed {
            let mark = Mark(line: max(1, error.line), column: 1)
            problems.take([Diagnostic(file: path.string, mark: mark, message: error.reason)])
        } catch {
            problems.add("the trace '\(path)' \(error)", at: node.mark)
        }
        return nil
    }
}
