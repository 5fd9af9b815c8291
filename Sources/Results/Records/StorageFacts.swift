/// What stood for the device's storage.
package struct StorageFacts: Hashable, Sendable, Codable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        /// A file system of its own, in memory: what does not fit fails with the kernel's ENOSPC, for any program.
        case tmpfs
        /// The built-in client's own account of a folder: a quota that the client minds by itself.
        case account
    }

    package var kind: Kind
    /// How much it holds.
    package var bytes: Int64

    package init(kind: Kind, bytes: Int64) {
        self.kind = kind
        self.bytes = bytes
    }
}
