/// The way in which a client asks the proxy to connect it.
enum ProxyMode: String {
    /// A listener with one fixed target.
    case reverse
    /// HTTP CONNECT.
    case tunnel
    /// SOCKS 5.
    case socks
    /// An HTTP request in absolute form.
    case forward
}
