import Glibc
import Testing

@testable import LinuxSupport

@Suite struct SplicePipeTests {
    /// A pair of connected sockets, whose ends never block.
    private final class Sockets {
        let ends: [CInt]

        init() throws {
            var ends: [CInt] = [-1, -1]
            let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
            try #require(unsafe socketpair(AF_UNIX, type, 0, &ends) == 0)
            self.ends = ends
        }

        deinit { for end in ends { Glibc.close(end) } }

        /// Writes until the kernel takes no more, or all is written; returns the number of bytes.
        func fill(_ bytes: [UInt8]) -> Int {
            var count = 0
            while count < bytes.count {
                let written = unsafe bytes.withUnsafeBytes {
                    unsafe Glibc.write(ends[0], $0.baseAddress?.advanced(by: count), bytes.count - count)
                }
                guard written > 0 else { break }
                count += written
            }
            return count
        }

        /// All that can be read at the other end.
        func drain() -> [UInt8] {
            var all: [UInt8] = []
            var block = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = unsafe Glibc.read(ends[1], &block, block.count)
                guard count > 0 else { return all }
                all += block[..<count]
            }
        }
    }

    private static let content = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

    @Test(arguments: [1, 511, 4096, 65536, 150_000])
    func movesAvailableBytes(_ size: Int) throws {
        let (source, target) = (try Sockets(), try Sockets())
        let pipe = try #require(SplicePipe())
        let written = source.fill(Array(Self.content[..<size]))
        let move = pipe.move(from: source.ends[1], to: target.ends[0], limit: 1 << 20, piece: 4096)
        #expect(move == SplicePipe.Move(sent: written, rest: 0))
        #expect(target.drain() == Array(Self.content[..<written]))
        #expect(pipe.move(from: source.ends[1], to: target.ends[0], limit: 1 << 20, piece: 4096) == SplicePipe.Move())
    }

    @Test func movesNoMoreThanTheLimit() throws {
        let (source, target) = (try Sockets(), try Sockets())
        let pipe = try #require(SplicePipe())
        _ = source.fill(Array(Self.content[..<50_000]))
        #expect(pipe.move(from: source.ends[1], to: target.ends[0], limit: 10_001, piece: 4096).sent == 10_001)
        #expect(pipe.move(from: source.ends[1], to: target.ends[0], limit: 1 << 20, piece: 1 << 16).sent == 39_999)
        #expect(target.drain() == Array(Self.content[..<50_000]))
    }

    @Test("bytes that the destination does not take are handed over, in order and without loss")
    func handsOverTheRest() throws {
        let (source, target) = (try Sockets(), try Sockets())
        let pipe = try #require(SplicePipe())
        var (got, sent): ([UInt8], Int) = ([], 0)
        var hadRest = false
        while sent < Self.content.count {
            sent += source.fill(Array(Self.content[sent...].prefix(300_000)))
            let move = pipe.move(from: source.ends[1], to: target.ends[0], limit: 1 << 20, piece: 100_000)
            if move.rest > 0 {
                hadRest = true
                got += target.drain()
                var rest = [UInt8](repeating: 0, count: move.rest)
                #expect(unsafe rest.withUnsafeMutableBytes { unsafe pipe.takeRest(into: $0) } == move.rest)
                got += rest
            }
        }
        repeat {
            got += target.drain()
        } while pipe.move(
            from: source.ends[1], to: target.ends[0], limit: 1 << 20, piece: 100_000
        ).sent > 0
        #expect(hadRest && got == Self.content)
    }

    @Test func aClosedDestinationLeavesAllBytesAsTheRest() throws {
        let source = try Sockets()
        let pipe = try #require(SplicePipe())
        var ends: [CInt] = [-1, -1]
        try #require(unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        Glibc.close(ends[1])
        defer { Glibc.close(ends[0]) }
        Glibc.signal(SIGPIPE, SIG_IGN)
        _ = source.fill(Array(Self.content[..<1000]))
        #expect(pipe.move(from: source.ends[1], to: ends[0], limit: 1 << 20, piece: 4096) == .init(sent: 0, rest: 1000))
        var rest = [UInt8](repeating: 0, count: 1000)
        #expect(unsafe rest.withUnsafeMutableBytes { unsafe pipe.takeRest(into: $0) } == 1000)
        #expect(rest == Array(Self.content[..<1000]))
    }
}
