import Glibc

/// Calls `body` with an array of C strings that ends with a null pointer; it is valid only during the call.
package func withCStrings<Result, Failure: Error>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) throws(Failure) -> Result
) throws(Failure) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    return try unsafe body(copies)
}
