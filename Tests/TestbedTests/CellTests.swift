import Glibc
import SystemPackage
import Testbed
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct CellTests {
    @Test func runsAProgramInItsOwnNetwork() async throws {
        try await withCell { cell in
            let pipe = try FileDescriptor.pipe()
            defer { try? pipe.readEnd.close() }
            var command = CellCommand(["ls", "/proc/self/net/dev_snmp6"], environment: [:])
            command.descriptors = [.init(pipe.writeEnd, as: STDOUT_FILENO)]
            let process = try await cell.spawn(command)
            try pipe.writeEnd.close()
            #expect(try await process.wait().status == .exited(0))
            #expect(read(pipe.readEnd) == "link0\nlo\n")
        }
    }
}

/// All that is written to a pipe, until its other end is closed.
private func read(_ descriptor: FileDescriptor) -> String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while let count = try? piece.withUnsafeMutableBytes({ try descriptor.read(into: $0) }), count > 0 {
        bytes += piece[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
}
