import FoundationEssentials
import Glibc
import LinuxSupport
import ResultFiles
package import SystemPackage

/// The programs that Headwind starts.
package struct Programs: Sendable {
    package var client: FilePath
    package var guardProgram: FilePath
    /// Whether somebody's own program is in the place of headwind-client.
    package private(set) var isClientForeign = false

    /// Those that a program of Headwind starts.
    package init(beside executable: FilePath) {
        let folder = RunningProgram.companions(of: executable)
        client = folder.appending("headwind-client")
        guardProgram = folder.appending("headwind-guard")
    }

    /// Somebody's own program in headwind-client's place; nil where there is none.
    package var foreignClient: String? { isClientForeign ? client.string : nil }
    /// What findings call the client.
    package var clientName: String { foreignClient ?? "headwind-client" }

    /// What is written of them beside every cell of a run.
    func facts(toolVersion: String) -> RunFacts {
        RunFacts(toolVersion: toolVersion, client: client, isClientForeign: isClientForeign)
    }

    /// Puts a program in the place of headwind-client, whose command line it takes.
    ///
    /// A name without a `/` is looked for in PATH. Throws `HarnessError.clientUnusable` for what is not there, or may not be
    /// executed.
    package mutating func use(client name: String) throws(HarnessError) {
        guard let program = Environment.program(name) else {
            throw .clientUnusable(name, reason: Self.obstacle(to: name))
        }
        client = FilePath(WholePaths.of([program.string])[0])
        isClientForeign = true
    }

    /// Why a program cannot be run.
    private static func obstacle(to name: String) -> String {
        guard name.contains("/") else { return "it is not in PATH" }
        var status = stat()
        guard stat(name, &status) == 0 else { return "\(Errno(rawValue: errno))" }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return "\(Errno.isDirectory)"
        case S_IFREG: return "it is not executable (try 'chmod +x')"
        default: return "it is not a regular file"
        }
    }
}

/// Names of files as they are from anywhere, for a client runs in a folder of its own.
package enum WholePaths {
    /// The words of a command, of which those with a `/` that name a file from here have its whole path.
    package static func of(_ words: [String]) -> [String] {
        let here = FilePath(FileManager.default.currentDirectoryPath)
        return words.map { word in
            guard word.contains("/"), !word.hasPrefix("/") else { return word }
            let path = here.pushing(FilePath(word)).lexicallyNormalized()
            return FileManager.default.fileExists(atPath: path.string) ? path.string : word
        }
    }
}
