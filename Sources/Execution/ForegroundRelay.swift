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
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = try? bytes.withUnsafeMutableBytes { try changes.read(into: $0) }
        for byte in bytes.prefix(count ?? 0) {
            if Int32(byte) == SIGCONT { pump.takeTerminal() } else { pump.resize() }
        }
        return (count ?? 0) > 0
    }
}
