package import SystemPackage

/// An error: the limits leave less of a resource than the work needs.
package struct ResourceShortage: Error, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        case descriptors
        case threads
        case addressSpace
    }

    package let kind: Kind
    /// How much the work needs in addition to what is in use; bytes for address space.
    package let needed: Int
    /// How much of that is available.
    package let available: Int
    /// The limit of this process; nil if it has none, and another limit applies.
    package let limit: Int?
    /// The error that the system reported.
    package let error: Errno
    let work: String
    /// Another remedy, as half a sentence: "give --jobs 1".
    let hint: String?

    package var description: String {
        let remedies = [remedy] + (hint.map { [$0] } ?? [])
        let left = kind == .addressSpace ? "are \(available >> 20) MiB" : available == 1 ? "is 1" : "are \(available)"
        return "\(work) needs \(amount), but there \(left) left (\(error)). \(remedies.joined(separator: ", or "))."
    }

    private var amount: String {
        switch kind {
        case .descriptors: "\(needed) more file descriptors"
        case .threads: "\(needed) more threads and processes"
        case .addressSpace: "\(needed >> 20) MiB more of address space"
        }
    }

    /// How to raise the limit, with a value that suffices.
    private var remedy: String {
        let missing = needed - available
        switch (kind, limit) {
        case (.descriptors, let limit?) where error == .tooManyOpenFiles:
            return "Raise the limit with 'ulimit -n \(limit + missing)'"
        case (.descriptors, _):
            return "Close other programs: this machine has no more (see /proc/sys/fs/file-max)"
        case (.threads, let limit?):
            return "Raise the limit with 'ulimit -u \(limit + missing)' or that of the control group (pids.max), "
                + "end other programs of this user"
        case (.threads, nil):
            return "End other programs: the control group (pids.max) or this machine (threads-max) has no more"
        case (.addressSpace, let limit?):
            // Rounded up to whole thousands: the exact number of pages does not matter.
            return "Raise the limit with 'ulimit -v \(((limit + missing) / 1024 / 1000 + 1) * 1000)'"
        case (.addressSpace, nil):
            return "Give this process more memory"
        }
    }
}
