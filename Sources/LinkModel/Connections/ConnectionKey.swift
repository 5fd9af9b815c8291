/// What names a connection where random decisions are keyed: the same in the next run, whatever the ports.
package enum ConnectionKey: Sendable, Hashable, CustomStringConvertible {
    /// The path of its first request; `nth` counts connections that began with the same path, from 1.
    case path(String, nth: Int)
    /// Its place in the order of accept, from 1.
    case order(Int)

    package var description: String {
        switch self {
        case .path(let path, 1): path
        case .path(let path, let nth): "\(path)#\(nth)"
        case .order(let ordinal): "#\(ordinal)"
        }
    }
}
