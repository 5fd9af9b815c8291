import CLinux
import Glibc
import SystemPackage

/// What work takes of that which limits bound: descriptors, threads and processes, and address space.
package struct ResourceNeeds: Hashable, Sendable {
    /// Descriptors that are open at once.
    package var descriptors: Int
    /// Threads and processes at once, children among them: the kernel counts both by user.
    package var threads: Int
    /// Bytes of address space, beside the stacks of threads.
    package var addressSpace: Int

    package init(descriptors: Int = 0, threads: Int = 0, addressSpace: Int = 0) {
        (self.descriptors, self.threads, self.addressSpace) = (descriptors, threads, addressSpace)
    }

    /// A loop of SwiftNIO: its thread, and an epoll, a timer and an event.
    ///
    /// Where one cannot be had SwiftNIO ends the program.
    package static let eventLoop = ResourceNeeds(descriptors: 3, threads: 1)

    package static func + (first: Self, second: Self) -> Self {
        Self(
            descriptors: first.descriptors + second.descriptors, threads: first.threads + second.threads,
            addressSpace: first.addressSpace + second.addressSpace)
    }

    package static func * (needs: Self, count: Int) -> Self {
        Self(
            descriptors: needs.descriptors * count, threads: needs.threads * count,
            addressSpace: needs.addressSpace * count)
    }

    /// Keeps threads from reserving address space for themselves, where it is limited: glibc's malloc reserves 64 MiB for
    /// each (mallopt(3), M_ARENA_MAX), and a thread that cannot have its stack then is waited for without end.
    ///
    /// For the beginning of a program, while it has one thread.
    package static func spareAddressSpace() {
        if limit(RLIMIT_AS) != nil { headwind_room_spare_addresses() }
    }

    /// Takes all of it for a moment and gives it back, so that work which begins now has it.
    ///
    /// Where the soft limit of descriptors is too low it is raised to the hard one for this process; what it starts has the
    /// limit as it was (`headwind_descriptors_as_before`). `work` is the subject of a sentence, as in "This run". Throws
    /// ``ResourceShortage``.
    package func check(for work: String, hint: String? = nil) throws(ResourceShortage) {
        try checkDescriptors(work, hint)
        try checkThreads(work, hint)
        try checkAddressSpace(work, hint)
    }

    private func checkDescriptors(_ work: String, _ hint: String?) throws(ResourceShortage) {
        let wanted = Int32(clamping: descriptors)
        var had = headwind_room_descriptors(wanted)
        if had < wanted, errno == EMFILE, headwind_descriptors_before() < 0 {
            headwind_descriptors_raise()
            had = headwind_room_descriptors(wanted)
        }
        guard had < wanted else { return }
        throw ResourceShortage(
            kind: .descriptors, needed: descriptors, available: Int(had), limit: Self.limit(RLIMIT_NOFILE),
            error: Errno(rawValue: errno), work: work, hint: hint)
    }

    private func checkThreads(_ work: String, _ hint: String?) throws(ResourceShortage) {
        let wanted = Int32(clamping: threads)
        let had = headwind_room_threads(wanted)
        guard had < wanted else { return }
        let error = Errno(rawValue: errno)
        // Stacks need addresses, which may be what lacks.
        try checkAddressSpace(work, hint)
        throw ResourceShortage(
            kind: .threads, needed: threads, available: Int(had), limit: Self.limit(__RLIMIT_NPROC), error: error,
            work: work, hint: hint)
    }

    private func checkAddressSpace(_ work: String, _ hint: String?) throws(ResourceShortage) {
        let needed = addressSpace + threads * Self.stackBytes
        guard needed > 0, !headwind_room_addresses(needed) else { return }
        let error = Errno(rawValue: errno)
        let limit = Self.limit(RLIMIT_AS)
        throw ResourceShortage(
            kind: .addressSpace, needed: needed, available: max(0, (limit ?? 0) - Self.addressesInUse), limit: limit,
            error: error, work: work, hint: hint)
    }

    /// What a thread's stack takes, of those that are not told otherwise (pthread_getattr_default_np(3)).
    private static let stackBytes: Int = {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        var bytes = 0
        guard unsafe pthread_attr_getstacksize(&attributes, &bytes) == 0 else { return 8 << 20 }
        return bytes
    }()

    /// See proc_pid_statm(5).
    private static var addressesInUse: Int {
        guard
            let file = unsafe try? FileDescriptor.open("/proc/self/statm", .readOnly, options: .closeOnExec)
        else { return 0 }
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: 128)
        guard let count = try? unsafe bytes.withUnsafeMutableBytes({ try unsafe file.read(into: $0) }) else { return 0 }
        let pages = String(decoding: bytes[..<count], as: UTF8.self).prefix { $0.isNumber }
        return (Int(pages) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// A limit of this process that holds now; nil for none.
    private static func limit(_ resource: __rlimit_resource) -> Int? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max
        else { return nil }
        return Int(clamping: limit.rlim_cur)
    }
}
