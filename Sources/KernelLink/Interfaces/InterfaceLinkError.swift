package import Netlink

/// Why a shape cannot be put on an interface, or taken off; each description is whole sentences.
package struct InterfaceLinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is to blame.
    package enum Kind: Hashable, Sendable {
        /// What was asked for.
        case request
        /// What this machine has, or has not.
        case machine
        /// A privilege that is missing.
        case privilege
        /// Somebody else who changes the same; worth another try.
        case others
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        (self.kind, self.description) = (kind, description)
    }

    /// What the kernel has refused.
    package init(_ error: NetlinkError) {
        let kind: Kind =
            switch error.code {
            case .notPermitted, .permissionDenied: .privilege
            case _ where error.missingPart != nil: .machine
            case .operationNotSupportedByDevice, .invalidArgument, .outOfRange: .request
            case .noMemory, .noBufferSpace: .machine
            default: .others
            }
        let isNetem = error.missingPart?.module == "sch_netem"
        let hint =
            " Rates alone work without it. To shape one program in every way, use packets: "
            + "headwind exec --profile NAME -- CMD."
        self.init(kind, error.description + (isNetem ? hint : ""))
    }
}
