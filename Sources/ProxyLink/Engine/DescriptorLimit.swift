internal import Glibc

/// How many connections this process may hold descriptors for.
enum DescriptorLimit {
    /// Kept for everything else that the process opens.
    private static let reserve = 64

    /// Two sockets a connection (getrlimit(2): RLIMIT_NOFILE); 1 at least.
    static var pairs: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1 }
        return max(1, (Int(clamping: limit.rlim_cur) - reserve) / 2)
    }
}
