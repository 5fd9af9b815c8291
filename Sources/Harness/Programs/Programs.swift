import FoundationEssentials
import LinuxSupport
package import ResultFiles
package import SystemPackage

/// The programs that Headwind starts.
package struct Programs: Sendable {
    package var client: FilePath
    package var guardProgram: FilePath
    /// Whether a program of the user's replaces headwind-client.
    package private(set) var isClientForeign = false

    /// The programs that come with `executable`, a program of Headwind's.
    package init(beside executable: FilePath) {
        let folder = RunningProgram.companions(of: executable)
        client = folder.appending("headwind-client")
        guardProgram = folder.appending("headwind-guard")
    }

    /// The user's program that replaces headwind-client; nil if there is none.
    package var foreignClient: String? { isClientForeign ? client.string : nil }
    /// The client's name in findings.
    package var clientName: String { foreignClient ?? "headwind-client" }

    /// The facts about the programs, for the results of every cell.
    package func facts(toolVersion: String) -> RunFacts {
        RunFacts(toolVersion: toolVersion, client: client, isClientForeign: isClientForeign)
    }

    /// Replaces headwind-client by a program with the same command line.
    ///
    /// A name without a `/` is searched in PATH. Throws `HarnessError.clientUnusable` if the program does not exist, or
    /// cannot be executed.
    package mutating func use(client name: String) throws(HarnessError) {
        guard let program = Environment.program(name) else {
            throw .clientUnusable(name, reason: Self.obstacle(to: name))
        }
        if let missing = MissingInterpreter(of: program) {
            throw .clientUnusable(name, reason: "\(missing.problem) (\(missing.remedy))")
        }
        client = FilePath(WholePaths.of([program.string])[0])
        isClientForeign = true
    }

    /// Why a program cannot be run.
    private static func obstacle(to name: String) -> String {
        guard name.contains("/") else { return "it is not in PATH" }
        do {
            switch try FilePath(name).stat().type {
            case .directory: return "\(Errno.isDirectory)"
            case .regular: return "it is not executable (try 'chmod +x')"
            default: return "it is not a regular file"
            }
        } catch { return "\(error)" }
    }
}

/// Makes paths absolute, because a client runs in its own folder.
package enum WholePaths {
    /// The words of a command; a relative path with a `/` becomes absolute if the file exists.
    package static func of(_ words: [String]) -> [String] {
        words.map { word in
            guard word.contains("/"), !word.hasPrefix("/") else { return word }
            let path = FilePath(word).whole
            return FileManager.default.fileExists(atPath: path.string) ? path.string : word
        }
    }
}
