import CLinux
import Glibc
import LinkModel
import LinuxSupport
import Synchronization
import SystemPackage

/// Records packets of both ends into a pcapng file.
///
/// The loop only copies a packet into memory; a thread writes the file. If the thread does not keep up, packets are
/// left out and counted. So a capture costs the link only the time of the copy.
final class CaptureWriter: PacketRecording {
    private struct State {
        var buffer: CaptureBuffer
        var isClosed = false
    }

    /// The most bytes that may wait for the file: 8 MiB.
    private static let room = 8 << 20

    private let path: FilePath
    private let file: FileDescriptor
    private let wakeup: FileDescriptor
    /// The nanoseconds from CLOCK_MONOTONIC to the time of day.
    private let epoch: Int64
    private let state: Mutex<State>
    private let thread = Mutex<pthread_t?>(nil)

    /// Makes the file and starts the thread; the caller must call ``finish()``.
    init(_ capture: PacketCapture) throws(PacketLinkError) {
        path = capture.path
        file = try Self.open(capture.path)
        wakeup = FileDescriptor(rawValue: headwind_wakeup_open())
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        epoch = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) - MonotonicClock.now
        state = Mutex(
            State(buffer: CaptureBuffer(limit: capture.limit, hasPayload: capture.hasPayload, room: Self.room)))
        guard wakeup.rawValue >= 0 else { throw .resource(attempt: "open a descriptor for a capture", code: errno) }
        try start()
    }

    /// Opens a file, empties it, and makes it readable by this user only.
    private static func open(_ path: FilePath) throws(PacketLinkError) -> FileDescriptor {
        do {
            // Without O_NONBLOCK, opening a pipe would wait for a reader.
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .nonBlocking, .closeOnExec], permissions: [.ownerReadWrite])
            // A device such as /dev/null is used as it is: its mode must not change.
            if file.fileType == .characterSpecial { return file }
            let isRegular = file.fileType == .regular
            guard isRegular, fchmod(file.rawValue, 0o600) == 0, ftruncate(file.rawValue, 0) == 0 else {
                let code = isRegular ? errno : ENXIO
                try? file.close()
                throw Errno(rawValue: code)
            }
            return file
        } catch let error as Errno where error == .noSuchAddressOrDevice || error == .isDirectory {
            throw .notAFile(path: path.string)
        } catch {
            throw .capture(path: path.string, code: (error as? Errno)?.rawValue ?? EIO)
        }
    }

    deinit {
        try? file.close()
        if wakeup.rawValue >= 0 { try? wakeup.close() }
    }

    func record(_ packet: Span<UInt8>, at end: End, isInbound: Bool, time: Instant, comment: String?) {
        let nanoseconds = UInt64(max(0, time.nanoseconds + epoch))
        let isFirst = state.withLock { state in
            state.buffer.add(packet, at: end, isInbound: isInbound, nanoseconds: nanoseconds, comment: comment)
        }
        if isFirst { wakeup.ring() }
    }

    /// Writes what is left, ends the thread and returns the outcome.
    func finish() -> PacketCapture.Outcome {
        let nanoseconds = UInt64(max(0, MonotonicClock.now + epoch))
        let joined: pthread_t? = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let joined {
            state.withLock { state in
                state.buffer.close(nanoseconds: nanoseconds)
                state.isClosed = true
            }
            wakeup.ring()
            _ = pthread_join(joined, nil)
        }
        return state.withLock { $0.buffer.outcome }
    }

    private func start() throws(PacketLinkError) {
        do {
            let handle = try DedicatedThread.startToBeJoined(named: "packet-capture") { self.run() }
            thread.withLock { $0 = handle }
        } catch {
            throw .resource(attempt: "start a thread for a capture", code: error.rawValue)
        }
    }

    private func run() {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.room)
        while true {
            let isClosed = state.withLock { state in
                state.buffer.swap(&bytes)
                return state.isClosed
            }
            write(bytes)
            if isClosed { return }
            if bytes.isEmpty { sleep() }
        }
    }

    private func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        do {
            try file.writeAll(bytes)
        } catch {
            let failure = PacketLinkError.capture(path: path.string, code: (error as? Errno)?.rawValue ?? EIO)
            state.withLock { $0.buffer.fail(failure) }
        }
    }

    /// Sleeps until another thread wakes it.
    private func sleep() {
        var watched = pollfd(fd: wakeup.rawValue, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&watched, 1, -1)
        wakeup.drain()
    }
}
