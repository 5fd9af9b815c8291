import Glibc

/// The descriptors that a program is to have: those that this process came up with.
///
/// SwiftNIO opens its own without close-on-exec; a program that inherited a link's listener would keep its port.
struct InheritedDescriptors {
    private let numbers: Set<Int32>

    /// Takes note of what is open now.
    init() { numbers = Self.open() }

    /// Those that a program has that is started without further ado; standard input, output and error among them.
    var forPrograms: [Int32] { numbers.filter { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 }.sorted() }

    /// Throws ``CommandFailure`` where there are more of them than a program can be given.
    func check(most: Int) throws {
        let count = forPrograms.count
        guard count > most else { return }
        throw CommandFailure(
            status: .usage,
            description: "CMD would inherit \(count) open descriptors, and a cell takes \(most). "
                + "Close those that it does not need (N>&-), or use --backend proxy.")
    }

    /// Marks all that was opened since then as not for programs that are started from here on (fcntl(2): FD_CLOEXEC).
    func keepOthersFromPrograms() {
        for number in Self.open().subtracting(numbers) { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    }

    /// See proc_pid_fd(5).
    private static func open() -> Set<Int32> {
        guard let directory = opendir("/proc/self/fd") else { return [] }
        defer { closedir(directory) }
        var numbers: Set<Int32> = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = Int32(name), number != dirfd(directory) { numbers.insert(number) }
        }
        return numbers
    }
}
