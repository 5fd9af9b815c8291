/// What stood for the device's storage.
package struct StorageFacts: Hashable, Sendable, Codable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        /// A separate file system in memory: what does not fit fails with the kernel's ENOSPC, for any program.
        case tmpfs
        /// The built-in client's own account of a folder: a quota that only the client itself enforces.
        case account
    }

    package var kind: Kind
    /// Its capacity.
    package var bytes: Int64

    package init(kind: Kind, bytes: Int64) {
        self.kind = kind
        self.bytes = bytes
    }
}
