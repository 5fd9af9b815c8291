import CLinux
import Glibc
package import SystemPackage

/// One end of the control socket: sends and receives lines, with descriptors.
///
/// One thread receives; several may send, if they take turns.
package struct SandboxChannel: ~Copyable {
    package let socket: FileDescriptor
    private var bytes: [UInt8] = []
    /// The start of the next line in `bytes`, and the place up to which there is no line end.
    private var start = 0
    private var searched = 0
    /// The descriptors that have been received and not yet taken.
    private var descriptors: [FileDescriptor] = []

    package init(_ socket: FileDescriptor) {
        self.socket = socket
    }

    deinit {
        for descriptor in descriptors { try? descriptor.close() }
    }

    /// Makes a socket's ``nextLine()`` throw `.resourceTemporarilyUnavailable` if nothing comes for `time`.
    ///
    /// See socket(7), SO_RCVTIMEO. Throws `Errno` if the socket refuses the option.
    package static func limitWaits(for socket: FileDescriptor, to time: Duration) throws(Errno) {
        let (seconds, attoseconds) = time.components
        // A time of 0 would mean no limit.
        var limit = timeval(tv_sec: Int(seconds), tv_usec: max(1, Int(attoseconds / 1_000_000_000_000)))
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard unsafe setsockopt(socket.rawValue, SOL_SOCKET, SO_RCVTIMEO, &limit, size) == 0 else {
            throw Errno(rawValue: errno)
        }
    }

    /// Waits for the next line, and returns it without its end; `nil` if the peer has closed.
    ///
    /// Throws `Errno` if it cannot receive, and `SandboxLineError` if the line is too long.
    package mutating func nextLine() throws -> ArraySlice<UInt8>? {
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer {
                    start = end + 1
                    searched = start
                }
                return bytes[start..<end]
            }
            bytes.removeFirst(start)
            start = 0
            searched = bytes.count
            guard bytes.count < SandboxProtocol.longestLine else { throw SandboxLineError.tooLong }
            guard try receive() else { return nil }
        }
    }

    /// Takes the descriptors of the line that was read last; the caller must close them.
    ///
    /// Throws ``SandboxLineError/descriptorsMissing`` if fewer than `count` have come.
    package mutating func takeDescriptors(_ count: Int) throws(SandboxLineError) -> [FileDescriptor] {
        guard (0...descriptors.count).contains(count) else { throw .descriptorsMissing }
        defer { descriptors.removeFirst(count) }
        return Array(descriptors.prefix(count))
    }

    /// Whether a line can be read without waiting.
    package var hasLine: Bool {
        bytes[searched...].contains(UInt8(ascii: "\n"))
    }

    /// Waits for bytes and descriptors; returns false if the peer has closed.
    private mutating func receive() throws(Errno) -> Bool {
        var numbers = [CInt](repeating: -1, count: SandboxProtocol.mostDescriptors)
        var count = 0
        var problem: Errno?
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
            let result = unsafe headwind_receive(
                socket.rawValue, buffer.baseAddress, buffer.count, &numbers, &count)
            problem = result < 0 ? Errno(rawValue: errno) : nil
            filled = max(result, 0)
        }
        if let problem { throw problem }
        descriptors += numbers.prefix(count).map(FileDescriptor.init(rawValue:))
        bytes += piece
        return !piece.isEmpty
    }

    /// Sends a line with descriptors, which stay the caller's.
    ///
    /// Throws `Errno`, such as `.brokenPipe` if the peer has closed.
    package static func send(
        _ line: [UInt8], descriptors: [FileDescriptor] = [], to socket: FileDescriptor
    ) throws(Errno) {
        var numbers = descriptors.map(\.rawValue)
        var sent = 0
        while sent < line.count {
            let result = unsafe line[sent...].withUnsafeBytes { rest in
                unsafe headwind_send(socket.rawValue, rest.baseAddress, rest.count, numbers, numbers.count)
            }
            guard result >= 0 else { throw Errno(rawValue: errno) }
            sent += result
            numbers = []
        }
    }
}
