import CLinux
import Glibc
import SystemPackage

/// The limited resources that work needs: descriptors, threads and processes, and address space.
package struct ResourceNeeds: Hashable, Sendable {
    /// Descriptors that are open at once.
    package var descriptors: Int
    /// Threads and processes at once, children included: the kernel counts both together for each user.
    package var threads: Int
    /// Bytes of address space, without the stacks of threads.
    package var addressSpace: Int

    package init(descriptors: Int = 0, threads: Int = 0, addressSpace: Int = 0) {
        (self.descriptors, self.threads, self.addressSpace) = (descriptors, threads, addressSpace)
    }

    /// An event loop of SwiftNIO: its thread, and descriptors for epoll, a timer and an event.
    ///
    /// SwiftNIO ends the program if it cannot get one of them.
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

    /// Stops threads from reserving address space for themselves, if it is limited.
    ///
    /// glibc's malloc reserves 64 MiB for each (mallopt(3), M_ARENA_MAX). A thread may then get no stack, and the
    /// program waits for it without end. Call this at the beginning of a program, while it has one thread.
    package static func spareAddressSpace() {
        if limit(RLIMIT_AS) != nil { headwind_room_spare_addresses() }
    }

    /// Gives memory that this process has freed back to the system.
    ///
    /// glibc's malloc keeps it for later (malloc_trim(3)). A process that allocates much for a moment, again and again
    /// and on many threads, otherwise grows for hours: each thread's part of the heap keeps its own largest moment.
    package static func returnFreeMemory() { headwind_room_return_memory() }

    /// Checks that the resources are available: takes all of them for a moment, and gives them back.
    ///
    /// It raises a soft limit of descriptors that is too low, up to the hard limit, for this process only. Programs
    /// that it starts have the earlier limit (`headwind_descriptors_as_before`). `work` is the subject of a sentence,
    /// as in "This run". Throws ``ResourceShortage``.
    package func check(for work: String, hint: String? = nil) throws(ResourceShortage) {
        try checkDescriptors(work, hint)
        try checkThreads(work, hint)
        try checkAddressSpace(work, hint)
    }

    /// Raises this process's soft limit of descriptors to the hard one, as ``check(for:hint:)`` does if it must.
    package static func raiseDescriptors() { if headwind_descriptors_before() < 0 { headwind_descriptors_raise() } }

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
        // Stacks need addresses, so the shortage may be one of address space.
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

    /// The default size of a thread's stack, in bytes (pthread_getattr_default_np(3)).
    private static let stackBytes: Int = {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        var bytes = 0
        guard unsafe pthread_attr_getstacksize(&attributes, &bytes) == 0 else { return 8 << 20 }
        return bytes
    }()

    /// Bytes of address space that this process uses; see proc_pid_statm(5).
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

    /// A soft limit of this process; nil for none.
    private static func limit(_ resource: __rlimit_resource) -> Int? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max
        else { return nil }
        return Int(clamping: limit.rlim_cur)
    }
}
