import Scenarios
import Synchronization
import SystemPackage

/// What a client writes, in two files that an oracle reads.
final class KeptOutput: Sendable {
    typealias Stream = Command.Progress.Stream

    private struct Sink {
        var file: FileDescriptor
        var bytes = 0
    }

    /// Of each stream no more is kept.
    private static let mostBytes = 64 << 20

    private let folder: FilePath
    private let state: Mutex<(sinks: [Stream: Sink], trouble: String?)>

    /// Makes the files in a folder of the attempt's.
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

    /// Closes the files; says why not all could be kept, where that is so.
    func finish() -> String? {
        state.withLock { state in
            for sink in state.sinks.values { try? sink.file.close() }
            state.sinks = [:]
            return state.trouble
        }
    }
}
