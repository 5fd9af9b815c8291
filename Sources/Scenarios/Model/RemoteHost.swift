/// A host that Headwind did not start.
package struct RemoteHost: Hashable, Sendable {
    /// The manifest's URL, http or https.
    package var manifest: String
    /// The tag table's URL; nil: it is beside the manifest, or there is none.
    package var tagTable: String?
    /// Sent with every request, those of a headers file included.
    ///
    /// They may hold secrets.
    package var headers: [Header]
    /// The environment variable that holds a bearer token; nil: none is sent.
    package var tokenVariable: String?

    /// A field of an HTTP request.
    package struct Header: Hashable, Sendable, CustomStringConvertible {
        package var name: String
        package var value: String

        /// The name alone: a value may be a secret, and descriptions end in logs.
        package var description: String { "\(name): …" }
    }
}
