/// What an input has shown to be wrong.
struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Throws a ``Finding`` where something that must hold of every input does not.
func demand(_ holds: Bool, _ message: @autoclosure () -> String) throws(Finding) {
    if !holds { throw Finding(message()) }
}

/// What `body` makes of something that a reader has written itself; it must be able to.
func require<Value>(_ what: String, _ body: () throws -> Value) throws(Finding) -> Value {
    do { return try body() } catch { throw Finding("\(what): \(error)") }
}
