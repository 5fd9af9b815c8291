import Glibc
import Synchronization
import SystemPackage

/// A pseudo-terminal for a program, which represents Headwind's terminal.
struct PseudoTerminal {
    /// Headwind's side, to read the program's output and to write the user's keys; non-blocking.
    let controller: FileDescriptor
    /// The program's side.
    let terminal: FileDescriptor

    /// TIOCSPTLCK and TIOCGPTPEER of ioctl_tty(2), which Swift does not import; they need Linux 4.13.
    private static let setLock: UInt = 0x4004_5431
    private static let openPeer: UInt = 0x5441

    /// Opens a pseudo-terminal with the settings and the size of `model`.
    ///
    /// See pty(7).
    init(like model: FileDescriptor) throws(Errno) {
        let number = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        controller = FileDescriptor(rawValue: number)
        var locked: Int32 = 0
        var terminal: Int32 = -1
        if ioctl(number, Self.setLock, &locked) == 0 {
            terminal = ioctl(number, Self.openPeer, O_RDWR | O_NOCTTY | O_CLOEXEC)
        }
        guard terminal >= 0 else {
            let error = Errno(rawValue: errno)
            try? controller.close()
            throw error
        }
        self.terminal = FileDescriptor(rawValue: terminal)
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        var settings = termios()
        if tcgetattr(model.rawValue, &settings) == 0 { tcsetattr(terminal, TCSANOW, &settings) }
        takeSize(of: model)
    }

    /// Takes the size of `model`; the program gets SIGWINCH.
    func takeSize(of model: FileDescriptor) {
        var size = winsize()
        if ioctl(model.rawValue, UInt(TIOCGWINSZ), &size) == 0 {
            _ = ioctl(controller.rawValue, UInt(TIOCSWINSZ), &size)
        }
    }

    /// The signals that these keys send to the program now; none if it reads them itself.
    func interrupts(of keys: [UInt8]) -> [Int32] {
        var settings = termios()
        guard tcgetattr(terminal.rawValue, &settings) == 0, settings.c_lflag & UInt32(ISIG) != 0 else { return [] }
        // VINTR and VQUIT of termios(3); 0 is no key.
        let pairs = [(settings.c_cc.0, SIGINT), (settings.c_cc.1, SIGQUIT)]
        return pairs.filter { $0.0 != 0 && keys.contains($0.0) }.map(\.1)
    }

    func close() {
        try? controller.close()
        try? terminal.close()
    }
}

/// Headwind's own terminal in raw mode, while a program in a sandbox uses it: all keys go to that program, also Ctrl-C.
///
/// Its settings are restored when it is released, and if Headwind crashes.
enum RawTerminal {
    // Unsafe, because a signal handler may take no lock. It is written before `isTaken` is set, and read only
    // afterwards.
    nonisolated(unsafe) private static var settings = termios()
    private static let isTaken = Atomic(false)
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

    /// Takes the terminal at standard input if this process is in its foreground; otherwise the attempt would stop it.
    ///
    /// Call it again when the process has moved to the foreground. Returns whether the terminal is taken.
    static func take() -> Bool {
        guard tcgetpgrp(STDIN_FILENO) == getpgrp() else { return false }
        if !isTaken.load(ordering: .acquiring) {
            guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
            isTaken.store(true, ordering: .releasing)
            restoreAtCrashes()
        }
        var raw = settings
        cfmakeraw(&raw)
        return tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0
    }

    /// Restores the settings, after all output has been written.
    static func release() {
        guard isTaken.exchange(false, ordering: .acquiringAndReleasing) else { return }
        if tcgetpgrp(STDIN_FILENO) == getpgrp() { tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }
    }

    private static func restoreAtCrashes() {
        for number in crashes {
            var action = sigaction()
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            // Only what signal-safety(7) allows; then the signal takes its usual effect.
            action.__sigaction_handler.sa_handler = { number in
                if RawTerminal.isTaken.load(ordering: .acquiring) {
                    tcsetattr(STDIN_FILENO, TCSANOW, &RawTerminal.settings)
                }
                raise(number)
            }
            sigaction(number, &action, nil)
        }
    }
}
