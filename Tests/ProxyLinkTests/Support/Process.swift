import Glibc

/// The kernel's figures about this process.
enum Process {
    struct Unreadable: Error {}

    /// The resident memory in bytes (proc_pid_statm(5)).
    static func residentBytes() throws -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { throw Unreadable() }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = fread(&bytes, 1, bytes.count, file)
        let fields = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { throw Unreadable() }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The number of entries in `/proc/self/fd`: open descriptors, the one that reads them, `.` and `..`.
    static func openDescriptors() throws -> Int {
        guard let directory = opendir("/proc/self/fd") else { throw Unreadable() }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }
}
