import Foundation

/// One use of tags: begun, called back once, ended.
final class Request {
    /// A priority above all numbers from 0 to 1.
    static let urgent = 2.0

    let id: String
    let tags: [String]
    let bar: Bar
    var priority: Double
    var packs: [Pack] = []
    var missing: Set<Pack> = []
    /// The received and the total bytes, by pack.
    var sizes: [String: (done: Int64, total: Int64)] = [:]
    var isPaused = false
    var wasTold = false
    var failure: Failure?
    private let calledBack = DispatchSemaphore(value: 0)

    init(_ id: String, _ tags: [String], _ priority: Double, _ bar: Bar) {
        (self.id, self.tags, self.priority, self.bar) = (id, Set(tags).sorted(), priority, bar)
    }

    var identifiers: Set<String> { Set(packs.map(\.identifier)) }

    /// Ends all waits for the callback, now and later.
    func callBack() { calledBack.signal() }

    func waitForCallback() {
        calledBack.wait()
        calledBack.signal()
    }
}
