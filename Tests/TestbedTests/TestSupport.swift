import Glibc
import ProcessGuard
import SystemPackage
import Testbed
import Testing

/// The user that creates a sandbox.
enum User: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case root
    /// No privileges, uid 65534.
    case nobody

    var testDescription: String { rawValue }

    /// The options of `testbed-confine`.
    ///
    /// A TUN device of mode 0600 is not accessible to everybody.
    var confinement: [String] {
        switch self {
        case .root: []
        case .nobody: ["--tun", "666", "--user", "65534"]
        }
    }
}

/// The output of a program, and its exit status.
struct Answer {
    let output: String
    let status: GuardedExit.Status

    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs `testbed-trial` with the given restrictions.
func trial(_ arguments: [String], confinement: [String] = []) async throws -> Answer {
    try await run("testbed-confine", confinement + ["--", program("testbed-trial").string] + arguments)
}

/// Runs a script in a sandbox that `user` creates.
func script(_ text: String, in options: [String] = [], as user: User = .root) async throws -> Answer {
    try await trial(["run"] + options + ["--", "sh", "-c", text], confinement: user.confinement)
}

func run(_ name: String, _ arguments: [String]) async throws -> Answer {
    var command = GuardedCommand(
        name.hasPrefix("/") ? name : program(name).string, arguments: arguments,
        environment: ["PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"])
    command.output = .streamed
    command.errors = .inherited
    command.deadline = .seconds(60)
    let (exit, output) = try await withGuardedProcess(command) { process in
        var text = ""
        for try await line in process.output.lines { text += line + "\n" }
        return text
    }
    return Answer(output: output, status: exit.status)
}

/// Calls `body` with a directory that everybody can read.
func withTemporaryDirectory(_ body: (FilePath) async throws -> Void) async throws {
    let temporary = FilePath(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
    try await withScratchDirectory(in: temporary) { directory in
        try #require(chmod(directory.string, 0o755) == 0)
        try await body(directory)
    }
}

/// A program of this package.
func program(_ name: String) -> FilePath {
    programDirectory.appending(name)
}

/// The folder of the programs: that of the running one.
let programDirectory: FilePath = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    // On platforms with a test runner of the toolchain, the tests run in that program.
    let beside = FilePath(path).removingLastComponent()
    return beside
}()

func contents(of path: String) -> String? {
    guard let file = try? FileDescriptor.open(FilePath(path), .readOnly) else { return nil }
    defer { try? file.close() }
    return try? all(file)
}

/// Reads everything, until the other end is closed.
func all(_ descriptor: FileDescriptor) throws -> String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = try piece.withUnsafeMutableBytes({ try descriptor.read(into: $0) }), count > 0 {
        bytes += piece[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
}

func names(in directory: String) -> [String] {
    guard let listing = opendir(directory) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}

/// The target of a symbolic link, or nil if there is none.
func target(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &buffer, buffer.count)
    return count < 0 ? nil : String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Checks a condition every 5 ms until it holds, and returns whether it did within `limit` (default: 20 s).
///
/// Waiting alone never makes a test pass.
func eventually(within limit: Duration = .seconds(20), _ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}
