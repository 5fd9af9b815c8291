import Glibc

/// What each thread of a link starts with.
enum ThreadSetup {
    /// Names the calling thread and leaves signals to others: a write to a closed socket is an error, and no signal.
    static func prepare(name: String) {
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
        let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, name, name.utf8.count)
        close(file)
    }
}
