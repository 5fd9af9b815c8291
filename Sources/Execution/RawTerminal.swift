import Glibc
import Synchronization

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
