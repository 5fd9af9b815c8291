import Dispatch
import Glibc

/// Real clients, for tests.
enum Shell {
    /// Runs a command line; returns its stdout and stderr, without the last line end, and its exit status.
    static func run(_ line: String) async -> (output: String, status: Int32) {
        await withCheckedContinuation { continuation in
            // This thread blocks, which Swift's own threads must not.
            DispatchQueue.global().async {
                guard let pipe = popen("exec 2>&1; " + line, "r") else {
                    return continuation.resume(returning: ("popen failed", -1))
                }
                var output: [UInt8] = []
                var chunk = [UInt8](repeating: 0, count: 4096)
                while true {
                    let count = fread(&chunk, 1, chunk.count, pipe)
                    if count == 0 { break }
                    output += chunk.prefix(count)
                }
                let status = pclose(pipe)
                if output.last == UInt8(ascii: "\n") { output.removeLast() }
                continuation.resume(returning: (String(decoding: output, as: UTF8.self), status >> 8 & 0xFF))
            }
        }
    }
}
