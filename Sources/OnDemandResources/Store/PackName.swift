/// A pack on a device that several bundles share.
struct PackName: Hashable, Sendable, Comparable {
    /// The bundle whose pack it is; nil for a pack of one's own.
    var bundle: String?
    /// The pack's identifier.
    var pack: String

    static func < (left: PackName, right: PackName) -> Bool {
        (left.pack, left.bundle ?? "") < (right.pack, right.bundle ?? "")
    }
}
