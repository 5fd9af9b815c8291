/// Names the connections of one link, whichever backend it has.
///
/// A connection goes by its place in the order of accept until its first bytes from the client are there. Where these are a
/// plain HTTP request it goes by the path from then on, these bytes included; else it keeps the name that it has.
package struct ConnectionKeys: Sendable {
    /// How many connections began with a path.
    private var counts: [String: Int] = [:]
    private let mostPaths: Int

    /// Beyond so many paths, connections with another one keep their place in the order.
    package init(mostPaths: Int = 65_536) {
        self.mostPaths = mostPaths
    }

    /// The key of the connection that was accepted as the `order`-th, and whose first request is for `path`.
    package mutating func key(path: String, order: Int) -> ConnectionKey {
        guard counts[path] != nil || counts.count < mostPaths else { return .order(order) }
        let nth = counts[path, default: 0] + 1
        counts[path] = nth
        return .path(path, nth: nth)
    }
}
