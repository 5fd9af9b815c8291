import Glibc
import LinuxSupport
import Synchronization
import SystemPackage

/// Relays keys and output between Headwind's terminal and a program that runs in a session of its own.
///
/// A dedicated thread keeps what it has read until it can write it, so that neither direction blocks the other.
final class ForegroundRelay: Sendable {
    private let terminal: PseudoTerminal?
    private let interrupt: @Sendable (Int32) -> Void
    private let changes: FileDescriptor
    /// A pipe for the numbers of signals that report a change of the terminal; closing it ends the thread.
    private let changing: Mutex<FileDescriptor?>
    private let done = Latch<Void>()

    /// Takes over the terminal; call ``end()`` afterwards.
    ///
    /// `interrupt` gets the signal of each key that interrupts the program.
    init(_ terminal: PseudoTerminal?, interrupt: @escaping @Sendable (Int32) -> Void) throws {
        (self.terminal, self.interrupt) = (terminal, interrupt)
        let pipe = try FileDescriptor.pipe()
        for end in [pipe.readEnd, pipe.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(pipe.writeEnd.rawValue, F_SETFL, O_NONBLOCK)
        changes = pipe.readEnd
        changing = Mutex(pipe.writeEnd)
        do {
            try DedicatedThread.start { self.run() }
        } catch {
            for end in [pipe.readEnd, pipe.writeEnd] { try? end.close() }
            throw ExecError.noThread(to: "relay the terminal")
        }
    }

    /// Follows a change of the terminal: SIGWINCH changes its size; after SIGCONT Headwind may be in its foreground.
    func follow(_ number: Int32) {
        changing.withLock { changing in
            var byte = UInt8(truncatingIfNeeded: number)
            if let changing { _ = write(changing.rawValue, &byte, 1) }
        }
    }

    /// Ends the relay after it has shown all output of the program, and restores the terminal.
    func end() async {
        changing.withLock { changing in
            try? changing?.close()
            changing = nil
        }
        await done.value
    }

    private func run() {
        var pump = TerminalPump(terminal, interrupt: interrupt)
        var isOpen = true
        while isOpen {
            var events = [pollfd(fd: changes.rawValue, events: Int16(POLLIN), revents: 0)]
            events += pump.interests
            guard poll(&events, nfds_t(events.count), -1) >= 0 || errno == EINTR else { break }
            pump.serve(events[1...])
            if events[0].revents != 0 { isOpen = take(&pump) }
        }
        pump.finish()
        try? changes.close()
        done.open(())
    }

    /// Applies the reported changes; false if the relay must end.
    private func take(_ pump: inout TerminalPump) -> Bool {
        let bytes = TerminalPump.read(changes) ?? []
        for byte in bytes {
            if Int32(byte) == SIGCONT { pump.takeTerminal() } else { pump.resize() }
        }
        return !bytes.isEmpty
    }
}

/// Relays bytes between Headwind's terminal and a program's, in both directions.
struct TerminalPump {
    private let inner: PseudoTerminal?
    /// Gets the signal of a key that interrupts the program.
    private let interrupt: (Int32) -> Void
    /// The descriptor to write to Headwind's terminal.
    private let screen: FileDescriptor
    private var isTaken = false
    private var hasEnded = false
    private var typed: [UInt8] = []

    init(_ inner: PseudoTerminal?, interrupt: @escaping (Int32) -> Void) {
        (self.inner, self.interrupt) = (inner, interrupt)
        screen = [FileDescriptor.standardOutput, .standardError].first { isatty($0.rawValue) == 1 } ?? .standardInput
        takeTerminal()
    }

    /// Takes over Headwind's terminal if the program has one and Headwind is in the foreground.
    mutating func takeTerminal() {
        guard inner != nil else { return }
        isTaken = RawTerminal.take()
        resize()
    }

    func resize() { inner?.takeSize(of: .standardInput) }

    /// The descriptors to poll: keys only while there is room for them.
    var interests: [pollfd] {
        guard let inner else { return [] }
        let isReading = isTaken && !hasEnded && typed.isEmpty
        let wanted = POLLIN | (typed.isEmpty ? 0 : POLLOUT)
        return [
            pollfd(fd: inner.controller.rawValue, events: Int16(wanted), revents: 0),
            pollfd(fd: isReading ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    mutating func serve(_ events: ArraySlice<pollfd>) {
        guard let inner, events.count == 2, let program = events.first, let keys = events.last else { return }
        if program.revents & Int16(POLLIN) != 0 { show(inner) }
        if keys.revents != 0 {
            typed = Self.read(.standardInput) ?? []
            hasEnded = typed.isEmpty
            for signal in inner.interrupts(of: typed) { interrupt(signal) }
        }
        if !typed.isEmpty {
            let count = typed.withUnsafeBytes { write(inner.controller.rawValue, $0.baseAddress, $0.count) }
            if count > 0 { typed.removeFirst(count) }
        }
    }

    /// Shows the remaining output, and restores the terminal.
    mutating func finish() {
        // A pseudo-terminal holds less than this. A process that the program left running may open it again, and write
        // for ever.
        var most = 65_536
        while most > 0, let inner, let count = show(inner) { most -= count }
        RawTerminal.release()
    }

    /// Shows output of the program, and returns the number of bytes; nil if there is nothing to show, or no way to.
    @discardableResult
    private func show(_ inner: PseudoTerminal) -> Int? {
        guard let bytes = Self.read(inner.controller), !bytes.isEmpty else { return nil }
        return try? screen.writeAll(bytes)
    }

    /// Reads up to 4096 bytes; `nil` if there is nothing to read.
    fileprivate static func read(_ descriptor: FileDescriptor) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = try? bytes.withUnsafeMutableBytes { try descriptor.read(into: $0) }
        return count.map { Array(bytes[..<$0]) }
    }
}
