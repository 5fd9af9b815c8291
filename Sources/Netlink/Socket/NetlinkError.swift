package import SystemPackage

/// A request to the kernel's networking that failed.
package struct NetlinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was attempted, and on what.
    package let purpose: RequestPurpose
    /// What the kernel answered, see errno(3).
    package let code: Errno
    /// The kernel's own message, see NETLINK_EXT_ACK in netlink(7); nil if it gave none.
    package let words: String?

    package init(_ purpose: RequestPurpose, _ code: Errno, words: String? = nil) {
        self.purpose = purpose
        self.code = code
        self.words = words
    }

    package var description: String {
        let said = words.map { "\(code) (\($0.hasSuffix(".") ? String($0.dropLast()) : $0))" } ?? "\(code)"
        guard let part = missingPart else { return "Could not \(purpose.attempt): \(said). \(advice)" }
        return "Could not \(purpose.attempt): this kernel has \(part.lack); it says \(said). "
            + "Load it with 'modprobe \(part.module)', or use a kernel with \(part.option)."
    }

    /// The missing part of the kernel that made the request fail; nil if that is not the reason.
    ///
    /// A kernel without a kind of queue answers ENOENT with "Specified qdisc kind is unknown". If the object of the
    /// request does not exist, it answers ENOENT with other words. For a kind of interface that it lacks, it answers
    /// EOPNOTSUPP.
    package var missingPart: RequestPurpose.Part? {
        guard let part = purpose.part else { return nil }
        switch code {
        case .noSuchFileOrDirectory:
            guard let words else { return part }
            let causes = ["kind is unknown", "classifier not found", "TC action module"]
            return causes.contains { words.contains($0) } ? part : nil
        case .notSupported: return part
        default: return nil
        }
    }

    /// Whether the object to change or remove does not exist, or its interface does not.
    package var isAboutWhatIsNotThere: Bool {
        [.operationNotSupportedByDevice, .noSuchFileOrDirectory, .invalidArgument].contains(code)
    }

    private var advice: String {
        switch code {
        case .notPermitted, .permissionDenied:
            "This needs CAP_NET_ADMIN in the namespace of the network: run as root, or in a user namespace of your own."
        case .operationNotSupportedByDevice, .noSuchAddressOrDevice:
            "See 'ip link' for the interfaces of this network."
        case .fileExists: "Something is there already: remove it first, or replace it."
        case .noSuchFileOrDirectory: "See 'tc qdisc' and 'tc class' for what is there."
        case .invalidArgument, .outOfRange: "Check that each value is in the range of this kernel."
        case .noMemory, .noBufferSpace: "Check the free memory of this machine."
        case .resourceBusy: "Check which other program uses it."
        case .resourceTemporarilyUnavailable: "The kernel has not answered for 10 s; check the load of this machine."
        default: "See rtnetlink(7), and 'dmesg' for what else the kernel says."
        }
    }
}
