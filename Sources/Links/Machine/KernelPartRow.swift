package import Testbed

/// One part of the kernel's traffic control, and whether this machine has it.
package struct KernelPartRow: Sendable, Encodable {
    package var part: String
    package var isAvailable: Bool
    /// Its purpose, as it follows "for".
    package var purpose: String
    /// Why it cannot be used, as a sentence; absent if it can.
    package var cause: String?
    /// The remedy, as a sentence; absent if none is known.
    package var remedy: String?

    private enum CodingKeys: String, CodingKey {
        case part, purpose, cause, remedy
        case isAvailable = "available"
    }
}

extension KernelPartRow {
    /// The cause and the remedy; empty if the part is available.
    var sentences: String { [cause, remedy].compactMap { $0 }.joined(separator: " ") }

    package init(_ part: KernelPart) {
        self.init(part: part.kind.rawValue, isAvailable: part.isAvailable, purpose: part.kind.purpose)
        guard let error = part.error else { return }
        guard let missing = error.missingPart else {
            cause = error.description
            return
        }
        let words = error.words.map { ": \($0)" } ?? ""
        cause = "This kernel has \(missing.lack). (It says: \(error.code)\(words).)"
        remedy =
            "Load it with 'sudo modprobe \(missing.module)', outside of a container, or use a kernel with "
            + "\(missing.option); Ubuntu has it in the package linux-modules-extra of the kernel."
    }
}

extension KernelPart.Kind {
    fileprivate var purpose: String {
        switch self {
        case .netem: "delay, jitter, loss, duplicates, reordering, corruption"
        case .tbf: "rates and their queues"
        case .htb: "rates with delayed name lookups, and exceptions on an interface of this machine"
        case .u32: "delayed name lookups, and incoming traffic of an interface"
        case .ingress, .mirred, .ifb: "incoming traffic of an interface of this machine"
        case .veth: "virtual cables between networks"
        }
    }
}
