/// Why TLS could not be set up.
package struct TLSError: Error, CustomStringConvertible {
    let reason: String

    package var description: String { "Could not set up TLS for the host: \(reason)." }
}
