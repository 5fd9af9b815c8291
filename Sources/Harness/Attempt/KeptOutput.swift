import Scenarios
import Synchronization
import SystemPackage

/// Keeps a client's output in two files for an oracle.
final class KeptOutput: Sendable {
    typealias Stream = Command.Progress.Stream

    private struct Sink {
        var file: FileDescriptor
        var bytes = 0
    }

    /// The limit on each stream, 64 MiB; later output is dropped.
    private static let mostBytes = 64 << 20

    private let folder: FilePath
    private let state: Mutex<(sinks: [Stream: Sink], trouble: String?)>

    /// Makes the files in the attempt's folder.
    init(in folder: FilePath) throws {
        self.folder = folder
        var sinks: [Stream: Sink] = [:]
        for stream in Stream.allCases {
            let path = folder.appending(stream.rawValue)
            do {
                let file = try FileDescriptor.open(
                    path, .writeOnly, options: [.create, .truncate, .closeOnExec, .noFollow],
                    permissions: [.ownerReadWrite])
                sinks[stream] = Sink(file: file)
            } catch {
                for sink in sinks.values { try? sink.file.close() }
                throw HarnessError(writing: path, error)
            }
        }
        state = Mutex((sinks, nil))
    }

    deinit { _ = finish() }

    func path(of stream: Stream) -> FilePath { folder.appending(stream.rawValue) }

    /// Keeps bytes of a stream, from any thread.
    func take(_ bytes: [UInt8], from stream: Stream) {
        state.withLock { state in
            guard var sink = state.sinks[stream], sink.bytes < Self.mostBytes else { return }
            let kept = bytes.prefix(Self.mostBytes - sink.bytes)
            do { sink.bytes += try sink.file.writeAll(kept) } catch {
                state.trouble = "the client's \(stream.rawValue) could not be kept for the oracle: \(error)"
            }
            state.sinks[stream] = sink
        }
    }

    /// Closes the files; returns why some output was not kept, or nil.
    func finish() -> String? {
        state.withLock { state in
            for sink in state.sinks.values { try? sink.file.close() }
            state.sinks = [:]
            return state.trouble
        }
    }
}
