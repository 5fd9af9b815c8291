/// An invariant that an input breaks.
struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Throws a ``Finding`` if a condition that must hold for every input does not.
func demand(_ holds: Bool, _ message: @autoclosure () -> String) throws(Finding) {
    if !holds { throw Finding(message()) }
}

/// Returns the result of `body`; throws a ``Finding`` if `body` throws.
func require<Value>(_ what: String, _ body: () throws -> Value) throws(Finding) -> Value {
    do { return try body() } catch { throw Finding("\(what): \(error)") }
}
