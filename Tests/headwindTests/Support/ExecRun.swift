import FoundationEssentials
import Glibc
import SystemPackage
import Testing

@testable import Execution

/// The built program `headwind exec`, run by a shell, and what came of it.
struct ExecRun {
    /// A folder of the test's own, in which the program runs; to be removed.
    let folder: FilePath

    struct Answer {
        let status: Int32
        let output: String
        let errors: String
    }

    static let built: String = {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        // Beside the tests' program, or where the tests are a library that swift-testing's helper loads.
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

    /// Starts a line of a shell, in which `$HW` is headwind and `$CONFINE` plays other machines.
    func start(_ line: String) throws -> ShellProcess {
        var environment = ProcessInfo.processInfo.environment
        environment["HW"] = Self.built + "/headwind"
        environment["CONFINE"] = Self.built + "/testbed-confine"
        return try ShellProcess.start(
            ["sh", "-c", "cd \(folder) && { \(line)\n} > output 2> errors < /dev/null"], environment: environment)
    }

    func finish(_ process: ShellProcess) async -> Answer {
        let ending = await process.wait()
        return Answer(status: ExecStatus(ending).status, output: text("output"), errors: text("errors"))
    }

    func run(_ line: String) async throws -> Answer { await finish(try start(line)) }

    /// Runs a line in a folder of its own, and removes what it left.
    static func line(_ line: String) async throws -> Answer {
        let run = try ExecRun()
        defer { run.remove() }
        return try await run.run(line)
    }

    func text(_ name: String) -> String {
        let data = try? Data(contentsOf: URL(filePath: folder.appending(name).string))
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// Waits until a file has this text in it.
    func wait(for text: String, in name: String) async throws {
        for _ in 0..<2000 where !self.text(name).contains(text) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(self.text(name).contains(text))
    }
}
