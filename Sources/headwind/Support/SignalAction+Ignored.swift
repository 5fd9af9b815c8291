import Glibc

extension sigaction {
    /// Whether the signal does nothing, as nohup(1) and a shell's background jobs have it.
    var isIgnored: Bool {
        // Functions cannot be compared, and SIG_IGN is none: the number 1. See <bits/signum-generic.h>.
        unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
