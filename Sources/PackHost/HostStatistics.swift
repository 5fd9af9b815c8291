/// What a host has done so far.
package struct HostStatistics: Hashable, Sendable {
    /// Connections that were accepted.
    package internal(set) var connections = 0
    /// Connections that are open.
    package internal(set) var openConnections = 0
    /// What went out per pack identifier, `manifest` and `tag-table`.
    package internal(set) var packs: [String: Pack] = [:]

    /// What went out of one pack.
    package struct Pack: Hashable, Sendable {
        /// Requests, GET and HEAD.
        package internal(set) var requests = 0
        /// Bytes of bodies that were handed to the kernel.
        package internal(set) var bytes: Int64 = 0
    }

    /// Nothing yet.
    package init() {}
}
