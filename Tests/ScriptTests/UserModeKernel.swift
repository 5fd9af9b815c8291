import Foundation
import Glibc
import ProcessGuard
import SystemPackage
import Testing

/// A run of this checkout's `Scripts/netem-test`, with its own folder for temporary files.
struct UserModeKernel {
    struct Answer {
        /// As in a shell: 128 plus the number of a signal.
        let status: Int32
        let output: String
        let errors: String
        /// The number of processes that it left behind.
        let survivors: Int
        /// The files left in its folder for temporary files.
        let files: [String]
    }

    /// Whether this machine can have that kernel, which Debian has for x86.
    ///
    /// On Debian it is missing only if Scripts/setup has not been run, which must not skip the tests.
    fileprivate static let isToBeHad: Bool = {
        #if arch(x86_64)
            let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
            let isDebian = release.split(separator: "\n").contains("ID=debian")
            return isDebian || access("/usr/bin/linux.uml", X_OK) == 0
        #else
            return false
        #endif
    }()

    static let checkout = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()

    /// The test's folder, with `results` for results and `tmp` for temporary files.
    let folder: FilePath
    var temporary: FilePath { folder.appending("tmp") }
    var results: FilePath { folder.appending("results") }

    static func with<Value>(_ body: (UserModeKernel) async throws -> Value) async throws -> Value {
        let temporary = FilePath(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
        return try await withScratchDirectory(in: temporary) { folder in
            let run = UserModeKernel(folder: folder)
            for made in [run.temporary, run.results] {
                try #require(made.withPlatformString { mkdir($0, 0o777) } == 0)
                // Other users of the test may write there, whatever this process's umask is.
                try #require(made.withPlatformString { chmod($0, 0o777) } == 0)
            }
            try #require(folder.withPlatformString { chmod($0, 0o755) } == 0)
            return try await body(run)
        }
    }

    /// Runs the script with these arguments.
    func run(
        _ arguments: [String], environment: [String: String] = [:], deadline: Duration = .seconds(100)
    ) async throws -> Answer {
        try await shell("exec \"$NETEM\" \"$@\"", arguments, environment: environment, deadline: deadline)
    }

    /// Runs a shell line, in which `$NETEM` is the script and `$@` are the arguments.
    func shell(
        _ line: String, _ arguments: [String] = [], environment: [String: String] = [:],
        deadline: Duration = .seconds(100)
    ) async throws -> Answer {
        var command = GuardedCommand(
            "bash", arguments: ["-c", line, "bash"] + arguments,
            environment: [
                "PATH": "/usr/local/bin:/usr/bin:/bin", "TMPDIR": temporary.string, "RESULTS": results.string,
                "NETEM": Self.checkout.appending("Scripts/netem-test").string,
            ].merging(environment) { $1 })
        command.directory = folder
        command.output = .streamed
        command.errors = .streamed
        command.deadline = deadline
        let (exit, texts) = try await withGuardedProcess(command) { process in
            async let output = Self.all(process.output)
            async let errors = Self.all(process.errors)
            return try await (output, errors)
        }
        let status: Int32 =
            switch exit.status {
            case .exited(let status): status
            case .signaled(let signal): 128 + signal
            default: -1
            }
        return Answer(
            status: status, output: texts.0, errors: texts.1, survivors: exit.survivorsEnded,
            files: try await list(temporary))
    }

    /// The names in a folder.
    func list(_ folder: FilePath) async throws -> [String] {
        var command = GuardedCommand("/bin/ls", arguments: ["-A", folder.string], environment: ["LC_ALL": "C"])
        command.output = .streamed
        return try await withGuardedProcess(command) { try await Self.all($0.output) }.value.split(separator: "\n").map(
            String.init)
    }

    private static func all(_ output: GuardedOutput) async throws -> String {
        var bytes: [UInt8] = []
        for try await piece in output { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests that start that kernel, which cannot run inside itself.
    static var needsUserModeKernel: Self {
        .enabled(if: UserModeKernel.isToBeHad && !isUnderNetem, "not on this machine: User-Mode Linux is for x86")
    }
}
