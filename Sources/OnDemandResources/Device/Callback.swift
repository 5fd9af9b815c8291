import Synchronization

/// What an app gave to be called with the outcome of a request, once.
///
/// It is let go where it is called. What it holds may end a request as it goes, which must not happen under the
/// loader's lock; so nobody else may be the last to hold it.
final class Callback: Sendable {
    private let body: Mutex<ResourceLoader.Completion?>

    init(_ body: @escaping ResourceLoader.Completion) { self.body = Mutex(body) }

    /// Calls it with the error, nil where there is none; a second call does nothing.
    func call(_ error: ResourceError?) {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?(error)
    }
}
