import Glibc
import Synchronization

/// Headwind's own terminal, while a program in a sandbox has it: every key goes to that program, Ctrl-C too.
///
/// Its settings are put back when it is let go, and where Headwind crashes.
enum RawTerminal {
    // Unsafe, because a signal's handler may take no lock: written before `isTaken` is set, and read only after it.
    nonisolated(unsafe) private static var settings = termios()
    private static let isTaken = Atomic(false)
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

    /// Takes the terminal at standard input, if this process is in its foreground; otherwise its writing would stop it.
    ///
    /// May be called again, such as when the process has become its foreground. Answers whether it is taken.
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

    /// Puts the settings back, once all has been written.
    static func release() {
        guard isTaken.exchange(false, ordering: .acquiringAndReleasing) else { return }
        if tcgetpgrp(STDIN_FILENO) == getpgrp() { tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }
    }

    private static func restoreAtCrashes() {
        for number in crashes {
            var action = sigaction()
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            // Only what signal-safety(7) allows; the signal then has its way.
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
