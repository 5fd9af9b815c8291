package import SystemPackage

/// What `body` returns; its error becomes the system's, which is EIO for an error without a number.
package func withErrno<Value>(_ body: () throws -> Value) throws(Errno) -> Value {
    do { return try body() } catch { throw error as? Errno ?? .ioError }
}
