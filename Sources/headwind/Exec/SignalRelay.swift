import Glibc
import Synchronization

/// Passes signals on to the program that runs in the foreground.
///
/// What the terminal sends (Ctrl-C) reaches that program by itself, as it is in the same process group; what somebody sends
/// to this process alone is passed on. This process then ends with the program, and not before it.
enum SignalRelay {
    private static let target = Atomic<pid_t>(0)
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    static func start(to processID: pid_t) {
        target.store(processID, ordering: .sequentiallyConsistent)
        for signal in signals {
            var action = sigaction()
            action.sa_flags = SA_SIGINFO | SA_RESTART
            // Only what signal-safety(7) allows: a load and kill(2).
            action.__sigaction_handler.sa_sigaction = { signal, information, _ in
                let sentByProcess = information.map { $0.pointee.si_code <= 0 } ?? true
                let processID = SignalRelay.target.load(ordering: .sequentiallyConsistent)
                if sentByProcess, processID > 0 { kill(processID, signal) }
            }
            sigaction(signal, &action, nil)
        }
    }

    /// From here on signals do nothing: the program has ended, and this process is about to.
    static func stop() { target.store(0, ordering: .sequentiallyConsistent) }
}
