import Glibc
package import SystemPackage

/// What `body` returns; its error becomes the system's, which is EIO for an error without a number.
package func withErrno<Value>(_ body: () throws -> Value) throws(Errno) -> Value {
    do { return try body() } catch { throw error as? Errno ?? .ioError }
}

/// Calls `body` with an array of C strings that ends with a null pointer; it is valid only during the call.
package func withCStrings<Result, Failure: Error>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) throws(Failure) -> Result
) throws(Failure) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    return try unsafe body(copies)
}
