import CLinux
import FoundationEssentials
import Glibc

/// The descriptors that programs inherit: those that this process itself inherited.
///
/// SwiftNIO opens others without close-on-exec. A program that inherited a link's listener would keep its port in use.
package struct InheritedDescriptors: Sendable {
    private let numbers: Set<Int32>

    /// Records the descriptors that are open now.
    package init() { numbers = Self.open() }

    /// The descriptors that a program inherits by default, including standard input, output and error.
    var forPrograms: [Int32] { numbers.filter { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 }.sorted() }

    /// Throws ``ExecError`` if there are more than `most`, or more than CMD's limit allows.
    func check(most: Int) throws {
        let count = forPrograms.count
        guard count > most else { return try checkNumbers() }
        throw ExecError(
            "CMD would inherit \(count) open descriptors, and a sandbox passes on at most \(most). "
                + "Close those that it does not need (N>&-), or use --backend proxy.")
    }

    /// Throws ``ExecError`` if CMD's limit, which is that of this process's caller, does not allow them.
    ///
    /// While they are passed on, copies have numbers above the highest one, together with a pipe and /dev/null.
    private func checkNumbers() throws {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let before = headwind_descriptors_before()
        let most = before >= 0 ? before : Int(clamping: limit.rlim_cur)
        let numbers = forPrograms
        let highest = Int(numbers.last ?? STDERR_FILENO)
        let needed = highest + numbers.count + 3
        guard needed > most else { return }
        throw ExecError(
            "CMD would inherit descriptors up to number \(highest). A sandbox needs \(needed) file "
                + "descriptors for them, and the limit is \(most). Raise it with 'ulimit -n \(needed)', close those that CMD "
                + "does not need (N>&-), or give --backend proxy.")
    }

    /// Keeps all descriptors opened since ``init()`` from programs that start from now on (fcntl(2): FD_CLOEXEC).
    func keepOthersFromPrograms() {
        for number in Self.open().subtracting(numbers) { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    }

    /// The numbers of the open descriptors; see proc_pid_fd(5).
    private static func open() -> Set<Int32> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        // The list has the descriptor by which it was read, too.
        return Set(names.compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) >= 0 })
    }
}
