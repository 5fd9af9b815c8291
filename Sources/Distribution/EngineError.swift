package import SystemPackage

/// Why an engine cannot do something.
package enum EngineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A program of the engine is missing on this machine; what to do about it, as a sentence.
    case missing(program: String, hint: String)
    /// A program of the engine failed: its task ("submit the job array"), and its output.
    case failed(command: String, attempted: String, said: String)
    /// An option of `--engine-option` is wrong; why, and what to write, as sentences.
    case option(String, reason: String)
    /// A file or folder of the shards could not be made, written or read; why, and what to try, as sentences.
    case file(FilePath, reason: String)
    /// Jobs could not be started, but some may run; the error.
    indirect case unsure(EngineError)

    package var description: String {
        switch self {
        case .missing(let program, let hint): "There is no program '\(program)' on this machine. \(hint)"
        case .failed(let command, let attempted, let said):
            "Could not \(attempted): '\(command)' said: \(said.isEmpty ? "nothing" : said)"
        case .option(let option, let reason): "--engine-option '\(option)': \(reason)"
        case .file(let path, let reason): "Could not use '\(path)': \(reason)"
        case .unsure(let error): "\(error)"
        }
    }
}
