/// An expectation and the requests that it is about.
package struct RequestExpectation: Hashable, Sendable {
    /// The request's identifier; nil for every request of the workload.
    package var request: String?
    package var expectation: Expectation

    package init(_ expectation: Expectation, request: String? = nil) {
        self.request = request
        self.expectation = expectation
    }

    /// A name that stays from run to run: `available`, or `circle.error` for one request's own.
    package var name: String { (request.map { $0 + "." } ?? "") + expectation.name }
}
