import CLinux
import Glibc
import SandboxMessages
import SystemPackage
import Testing

@Suite struct LineTests {
    static let request = SandboxRequest(
        id: 3, descriptors: 2, \.spawn,
        SandboxRequest.Spawn(
            namespace: .client, arguments: ["a\nb", "\u{1F480}\0\""], environment: ["A=b"], directory: "/",
            numbers: [1, 2],
            terminal: 1, blocksSignals: nil))

    @Test func areOneLineEach() throws {
        let line = SandboxLine.encode(Self.request)
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1 && line.last == UInt8(ascii: "\n"))
        #expect(try SandboxLine.decode(SandboxRequest.self, from: line.dropLast()) == Self.request)
    }

    @Test(arguments: [
        (#"{"v":2,"id":1}"#, SandboxLineError.unknownVersion(2)), (#"{"v":0,"id":1}"#, .unknownVersion(0)),
        (#"{"v":2,"new":[1]}"#, .unknownVersion(2)), ("", .malformed(start: "")), ("{}", .malformed(start: "{}")),
        (#"{"v":1}"#, .malformed(start: #"{"v":1}"#)), (#"{"v":"1","id":1}"#, .malformed(start: #"{"v":"1","id":1}"#)),
    ])
    func refuseOtherVersions(text: String, error: SandboxLineError) {
        #expect(throws: error) { try SandboxLine.decode(SandboxRequest.self, from: Array(text.utf8)) }
    }

    /// A reader ignores keys that a later revision of the version adds.
    @Test func ignoreUnknownKeys() throws {
        let line = Array(#"{"v":1,"id":5,"later":{"a":[]},"socket":{"port":7,"later":1}}"#.utf8)
        let reply = SandboxReply(id: 5, descriptors: nil, \.socket, .init(port: 7))
        #expect(try SandboxLine.decode(SandboxReply.self, from: line) == reply)
    }

    /// The sandbox's C programs write lines in the same form.
    @Test(arguments: [0, 2, 133]) func areTheSameFromC(error: Int32) throws {
        try withPair { first, second in
            headwind_sandbox_say_failure(first.rawValue, "execute-sandbox", error)
            var channel = SandboxChannel(second)
            let line = try #require(try channel.nextLine())
            let reply = try SandboxLine.decode(SandboxReply.self, from: line)
            let failure = SandboxReply.Failure(.executeSandbox, Errno(rawValue: error))
            #expect(reply == SandboxReply(id: 0, descriptors: nil, \.failure, failure))
        }
    }

    /// Each line gets its own descriptors, however the bytes are split.
    @Test func bringTheirOwnDescriptors() throws {
        try withPair { first, second in
            let files = try (0..<3).map { _ in try FileDescriptor.open("/dev/null", .readOnly) }
            defer { for file in files { try? file.close() } }
            try SandboxChannel.send(Array("one\ntw".utf8), descriptors: [files[0]], to: first)
            try SandboxChannel.send(Array("o\n".utf8), to: first)
            try SandboxChannel.send(Array("three\n".utf8), descriptors: [files[1], files[2]], to: first)
            var channel = SandboxChannel(second)
            for (text, count) in [("one", 1), ("two", 0), ("three", 2)] {
                #expect(try channel.nextLine().map { String(decoding: $0, as: UTF8.self) } == text)
                let descriptors = try channel.takeDescriptors(count)
                #expect(descriptors.allSatisfy { fcntl($0.rawValue, F_GETFD) == FD_CLOEXEC })
                for descriptor in descriptors { try descriptor.close() }
            }
            #expect(throws: SandboxLineError.descriptorsMissing) { try channel.takeDescriptors(1) }
            #expect(throws: SandboxLineError.descriptorsMissing) { try channel.takeDescriptors(-1) }
            try FileDescriptor(rawValue: dup(first.rawValue)).close()
            shutdown(first.rawValue, Int32(SHUT_WR))
            #expect(try channel.nextLine() == nil)
        }
    }

    @Test func mayBeLongButNotEndless() async throws {
        var ends: [CInt] = [-1, -1]
        try #require(headwind_socket_pair(&ends) == 0)
        let (first, second) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: SandboxProtocol.longestLine - 1)
        let writer = Task.detached {
            // The reader closes its end before all is written.
            try? SandboxChannel.send(long + [UInt8(ascii: "\n")] + long + long, to: first)
            try? first.close()
        }
        var channel = SandboxChannel(second)
        #expect(try channel.nextLine()?.count == long.count)
        #expect(throws: SandboxLineError.tooLong) { try channel.nextLine() }
        try second.close()
        await writer.value
    }

    private func withPair(_ body: (FileDescriptor, FileDescriptor) throws -> Void) throws {
        var ends: [CInt] = [-1, -1]
        try #require(headwind_socket_pair(&ends) == 0)
        let (first, second) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
        defer {
            try? first.close()
            try? second.close()
        }
        try body(first, second)
    }
}
