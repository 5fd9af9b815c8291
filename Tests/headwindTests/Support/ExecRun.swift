import FoundationEssentials
import Glibc
import SystemPackage
import Testing

@testable import Execution

/// A folder in which a shell runs the built program `headwind`, and the answers of these runs.
struct ExecRun {
    /// The test's own folder, in which the program runs.
    ///
    /// Call ``remove()`` at the end.
    let folder: FilePath

    struct Answer {
        let status: Int32
        let output: String
        let errors: String
    }

    static let built: String = {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        // The built programs are next to the tests' program, or next to the library that swift-testing's helper loads.
        let folders = [link ?? "", CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""].map { path in
            FilePath(path).removingLastComponent()
        }
        return folders.first { access($0.appending("headwind").string, X_OK) == 0 }?.string ?? ".build/debug"
    }()

    init() throws {
        var template = Array("/tmp/headwind-exec-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
        folder = FilePath(String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self))
        chmod(folder.string, 0o777)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder.string) }

    /// Repeats a command while the machine is too busy to measure, and shows what its last run printed.
    ///
    /// The load of a shared machine comes and goes, so the pauses become longer.
    private static let measured = """
        measured() {
            for turn in 1 2 3 4 5 6 7 8; do
                "$@" > measured.out 2> measured.err; status=$?
                [ $status = 75 ] || break
                sleep $turn
            done
            cat measured.out; cat measured.err >&2; rm measured.out measured.err
            return $status
        }
        """

    /// Starts a shell line, in which `$HW` is headwind and `$CONFINE` is testbed-confine, which imitates other
    /// machines.
    ///
    /// `measured COMMAND` repeats a command whose exit status is 75.
    func start(_ line: String) throws -> ShellProcess {
        var environment = ProcessInfo.processInfo.environment
        environment["HW"] = Self.built + "/headwind"
        environment["CONFINE"] = Self.built + "/testbed-confine"
        return try ShellProcess.start(
            ["sh", "-c", "\(Self.measured)\ncd \(folder) && { \(line)\n} > output 2> errors < /dev/null"],
            environment: environment)
    }

    func finish(_ process: ShellProcess) async -> Answer {
        let ending = await process.wait()
        return Answer(status: ExecStatus(ending).status, output: text("output"), errors: text("errors"))
    }

    func run(_ line: String) async throws -> Answer { await finish(try start(line)) }

    /// Runs a line in its own folder, and removes the folder.
    static func line(_ line: String) async throws -> Answer {
        let run = try ExecRun()
        defer { run.remove() }
        return try await run.run(line)
    }

    func text(_ name: String) -> String {
        let data = try? Data(contentsOf: URL(filePath: folder.appending(name).string))
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// Waits up to 2000 times 5 ms until the file `name` contains `text`.
    func wait(for text: String, in name: String) async throws {
        for _ in 0..<2000 where !self.text(name).contains(text) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(self.text(name).contains(text))
    }
}
