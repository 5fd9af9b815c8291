import CLinux
import CTestbed
import Glibc
import SandboxMessages
import SystemPackage
import Testing

@testable import Testbed

extension TestbedTests {
    /// Both sides of the protocol, each with a peer of another version.
    @Suite struct ProtocolTests {
        /// headwind-sandbox refuses the line before it does anything, so this process's namespaces stay unchanged.
        @Test(arguments: [
            #"{"v":2,"id":0,"configure":{}}"#, #"{"v":1,"id":0}"#, "nonsense", #"{"v":1,"id":0,"socket":{}}"#,
        ])
        func sandboxRefusesOtherVersions(line: String) throws {
            var ends: [CInt] = [-1, -1]
            try #require(headwind_socket_pair(&ends) == 0)
            let (ours, theirs) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
            let arguments = [strdup(program("headwind-sandbox").string), nil],
                environment: [UnsafeMutablePointer<CChar>?] = [nil]
            defer { arguments.forEach { free($0) } }
            let process = testbed_start(arguments, environment, theirs.rawValue, HEADWIND_SANDBOX_CONTROL)
            try theirs.close()
            try #require(process > 0)
            try SandboxChannel.send(Array(line.utf8) + [UInt8(ascii: "\n")], to: ours)
            var channel = SandboxChannel(ours)
            let answer = try channel.nextLine().map { try SandboxLine.decode(SandboxReply.self, from: $0) }
            #expect(answer?.failure?.stage == "protocol" && answer?.id == 0)
            if line.contains(#""v":2"#) { #expect(answer?.failure?.detail?.contains("has version 2") == true) }
            #expect(try channel.nextLine() == nil)
            var status: Int32 = 0
            #expect(waitpid(process, &status, 0) == process && status >> 8 == 125)
            try ours.close()
        }

        /// The message says that the sandbox is of another build.
        @Test func harnessRefusesOtherVersions() async throws {
            try await withProgram("printf '{\"v\":2,\"id\":0}\\n' >&3; sleep 600") { sandbox in
                let error = await #expect(throws: SandboxError.self) { try await withSandbox(sandbox) { _ in } }
                #expect(error?.description.contains("has version 2, but this Headwind reads only 1") == true)
                #expect(error?.description.contains("build both again") == true)
            }
        }

        @Test(arguments: [
            (#"{"v":1,"id":0,"ready":{"scratch":"/","notes":[]}}"#, "does not say that it is ready"),
            (#"{"v":1,"id":0,"descriptors":3,"ready":{"scratch":"/","notes":[]}}"#, "without its descriptors"),
            (#"{"v":1,"id":0,"socket":{}}"#, "does not say that it is ready"), ("garbage", "Could not read"),
            (#"{"v":1,"id":0,"failure":{"stage":"new","code":1}}"#, "failed at the unknown stage 'new'"),
        ])
        func harnessRefusesSenselessReplies(line: String, words: String) async throws {
            try await withProgram("printf '%s\\n' '\(line)' >&3; sleep 600") { sandbox in
                let error = await #expect(throws: SandboxError.self) { try await withSandbox(sandbox) { _ in } }
                #expect(error?.description.contains(words) == true)
            }
        }

        /// A sandbox that starts too slowly is ended.
        @Test func harnessLimitsTheWaitForAStart() async throws {
            try await withProgram("sleep 600") { sandbox in
                var hasty = sandbox
                hasty.deadline = .milliseconds(50)
                await #expect(throws: SandboxError.late(.milliseconds(50))) { try await withSandbox(hasty) { _ in } }
            }
        }

        @Test func saysWhichProgramIsMissing() async throws {
            for (initializer, sandbox) in [
                ("/no/init", program("headwind-sandbox").string), (program("headwind-init").string, "/no/sandbox"),
            ] {
                var configuration = SandboxConfiguration()
                configuration.programs = .init(initializer: FilePath(initializer), sandbox: FilePath(sandbox))
                let error = await #expect(throws: SandboxError.self) { try await withSandbox(configuration) { _ in } }
                #expect(error?.description.contains("Could not start '/no/") == true)
            }
            // The file exists and is executable, but is no program.
            try await withProgram(nil) { sandbox in
                let error = await #expect(throws: SandboxError.self) { try await withSandbox(sandbox) { _ in } }
                #expect(error?.description.contains("Exec format error") == true)
            }
        }
    }
}

/// Calls `body` with a configuration whose sandbox program is a script, or with nil a file that is no program.
private func withProgram(_ script: String?, _ body: (SandboxConfiguration) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
        let path = directory.appending("sandbox")
        let file = try FileDescriptor.open(
            path, .writeOnly, options: .create,
            permissions: [.ownerReadWriteExecute, .groupReadExecute, .otherReadExecute])
        try file.closeAfter { _ = try file.writeAll((script.map { "#!/bin/sh\n\($0)\n" } ?? "\u{7f}").utf8) }
        var configuration = SandboxConfiguration()
        configuration.programs = .init(initializer: program("headwind-init"), sandbox: path)
        try await body(configuration)
    }
}
