internal import Glibc
internal import NIOCore

/// The options by which the kernel ends a connection without traffic whose peer has vanished (tcp(7)).
///
/// A phone that leaves the network sends no FIN. Without them, its idle connections would stay for ever. The
/// connections that a listener accepts inherit its options.
enum KeepAlive {
    /// Probes after a minute without traffic, and ends the connection after four probes without an answer.
    static let options: [(ChannelOptions.Types.SocketOption, SocketOptionValue)] = [
        (.init(level: .socket, name: .so_keepalive), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPIDLE)), 60),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPINTVL)), 15),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPCNT)), 4),
    ]
}
