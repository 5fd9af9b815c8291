import Glibc
import LinuxSupport
import SystemPackage

/// Starts a process with the given descriptors, and with those of this process that are not closed on exec.
///
/// All signals are blocked at the start: a signal that arrives early waits until the program is ready for it. See
/// posix_spawn(3).
func spawn(_ request: GuardStarter.Request) throws(Errno) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    try check(unsafe posix_spawn_file_actions_init(&actions))
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (source, target) in request.descriptors {
        try check(unsafe posix_spawn_file_actions_adddup2(&actions, source.rawValue, target))
    }
    var attributes = posix_spawnattr_t()
    try check(unsafe posix_spawnattr_init(&attributes))
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    try check(unsafe posix_spawnattr_setsigmask(&attributes, &signals))
    try check(unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK)))
    var process: pid_t = 0
    let result: Int32 = unsafe withCStrings(request.arguments) { arguments in
        unsafe withCStrings(request.environment.map { "\($0)=\($1)" }.sorted()) { environment in
            unsafe request.program.withPlatformString { program in
                unsafe posix_spawn(&process, program, &actions, &attributes, arguments, environment)
            }
        }
    }
    try check(result)
    return process
}

/// Throws the result of a function of the posix_spawn(3) family, which is the error itself.
private func check(_ result: Int32) throws(Errno) {
    guard result == 0 else { throw Errno(rawValue: result) }
}
