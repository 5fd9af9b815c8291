package import LinkModel
internal import SystemPackage

/// The errors of a ``PacketLink``.
package enum PacketLinkError: LinkError, Sendable, Hashable {
    /// An operation on the descriptor of one end failed, with the system's error number, see errno(3).
    case descriptor(End, attempt: String, code: Int32)
    /// The other side of one end's descriptor has been closed.
    case ended(End)
    /// A resource of the link itself, such as memory or a thread, is not available; with the error number.
    case resource(attempt: String, code: Int32)
    /// The file of a capture could not be written; with the error number.
    case capture(path: String, code: Int32)
    /// The path of a capture is a pipe, a folder or a socket.
    case notAFile(path: String)
    /// The link has been taken down.
    case closed

    package var description: String {
        switch self {
        case .descriptor(let end, let attempt, let code):
            "Could not \(attempt) the \(end.rawValue)'s network device: \(Errno(rawValue: code)). "
                + "Keep the device and its namespace until the link has ended."
        case .ended(let end):
            "Could not continue to read the \(end.rawValue)'s packets: the descriptor was closed at its other side. "
                + "Keep it open until the link has ended."
        case .resource(let attempt, let code):
            "Could not \(attempt) for a packet link: \(Errno(rawValue: code)). "
                + "See the limits of this process (ulimit -a) and the memory of this machine."
        case .capture(let path, let code):
            "Could not write the capture \(path): \(Errno(rawValue: code)). Choose a file in a writable folder."
        case .notAFile(let path):
            "Could not write the capture \(path): it is a pipe, a folder or a socket. Name a file."
        case .closed:
            "Could not reach the link: it has been taken down."
        }
    }
}
