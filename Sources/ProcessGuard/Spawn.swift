import Glibc
import SystemPackage

/// Starts a process that has the given descriptors, and no others but those that are not closed on exec.
///
/// `arguments` begins with the name that the program has for itself. Each pair of `descriptors` makes the first one
/// available under the number of the second; they may be the same. See posix_spawn(3).
func spawn(
    _ program: FilePath, arguments: [String], environment: [String], descriptors: [(FileDescriptor, Int32)]
) throws(Errno) -> pid_t {
    var process: pid_t = 0
    var actions = unsafe posix_spawn_file_actions_t()
    var result = unsafe posix_spawn_file_actions_init(&actions)
    guard result == 0 else { throw Errno(rawValue: result) }
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (source, target) in descriptors {
        result = unsafe posix_spawn_file_actions_adddup2(&actions, source.rawValue, target)
        guard result == 0 else { throw Errno(rawValue: result) }
    }
    result = unsafe withCStrings(arguments) { arguments in
        unsafe withCStrings(environment) { environment in
            unsafe program.withPlatformString { program in
                unsafe posix_spawn(&process, program, &actions, nil, arguments, environment)
            }
        }
    }
    guard result == 0 else { throw Errno(rawValue: result) }
    return process
}

/// Calls `body` with the strings as C knows them, and a null pointer after the last.
private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = unsafe strings.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies + [nil])
}
