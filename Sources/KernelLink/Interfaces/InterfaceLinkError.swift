package import Netlink

/// Why a shape cannot be put on an interface, or removed; each description is whole sentences.
package struct InterfaceLinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cause of the error.
    package enum Kind: Hashable, Sendable {
        /// The request.
        case request
        /// Something that this machine has, or lacks.
        case machine
        /// A missing privilege.
        case privilege
        /// Another program that changes the same; another try may succeed.
        case others
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        (self.kind, self.description) = (kind, description)
    }

    /// An error for a request that the kernel has refused.
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
