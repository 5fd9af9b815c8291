import Glibc
import ProcessGuard
import SystemPackage
import Testing

/// A variable that every process of one test has in its environment, by which the test finds it.
struct Token: CustomStringConvertible, Sendable {
    let description: String

    init() {
        description = "headwind-test-" + String(UInt64.random(in: .min ... .max), radix: 36)
    }

    init(_ description: String) {
        self.description = description
    }

    /// An environment that has it.
    var environment: [String: String] {
        plainEnvironment.merging(["HEADWIND_TEST": description]) { _, token in token }
    }

    /// The processes that have it and have not ended: a guard too, which has the variable under another name.
    func processes() -> [Int32] {
        processIDs().filter { contents(of: "/proc/\($0)/environ")?.contains("HEADWIND_TEST=\(description)\0") == true }
    }
}

/// The numbers of all processes that this one can see.
func processIDs() -> [Int32] {
    names(in: "/proc").compactMap { Int32($0) }
}

/// The children of a process, by default this one, including those that have ended and were not waited for.
func children(of parent: Int32 = getpid()) -> [Int32] {
    processIDs().filter { process in
        // The name of a process may have spaces and parentheses in it: only the last one ends it. See proc(5).
        guard let fields = contents(of: "/proc/\(process)/stat")?.split(separator: ")").last?.split(separator: " ")
        else {
            return false
        }
        return fields.count > 1 && Int32(fields[1]) == parent
    }
}

/// The descriptors that this process has open.
func openDescriptors() -> [String] {
    names(in: "/proc/self/fd").sorted()
}

func names(in directory: FilePath) -> [String] {
    guard let listing = directory.withPlatformString({ opendir($0) }) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}

func contents(of path: String) -> String? {
    guard let file = try? FileDescriptor.open(FilePath(path), .readOnly) else { return nil }
    defer { try? file.close() }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while let count = try? piece.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
        bytes += piece[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
}

func write(_ text: String, to path: FilePath) throws {
    let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWriteExecute])
    try file.closeAfter { _ = try file.writeAll(text.utf8) }
}

func exists(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, F_OK) } == 0
}

/// Checks repeatedly until a condition holds, and returns whether it did within `limit`, 20 s by default.
///
/// No test passes by waiting.
func eventually(within limit: Duration = .seconds(20), _ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}

/// The environment that commands of the tests get.
let plainEnvironment = ["PATH": "/usr/local/bin:/usr/bin:/bin"]

/// A command for the shell, which has `words` as its arguments.
func shell(_ script: String, _ words: String..., environment: [String: String] = plainEnvironment) -> GuardedCommand {
    var command = GuardedCommand("sh", arguments: ["-c", script, "sh"] + words, environment: environment)
    command.grace = .milliseconds(50)
    return command
}

/// Starts a program that has forked twice, has its own session, and ignores SIGTERM.
///
/// It holds the file `$1`, which contains its process number. The script continues when all that holds.
let stubbornDaemon = """
    ( setsid sh -c 'trap "" TERM HUP INT; exec 9>>"$1"; echo $$ >&9; while :; do sleep 600; done' sh "$1" & )
    while ! [ -s "$1" ]; do :; done

    """

/// Where tests make their directories: `$TMPDIR`, or `/tmp`.
let temporaryDirectory = FilePath(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
