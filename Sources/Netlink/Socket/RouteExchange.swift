import CNetlink
import SystemPackage

/// The answers to requests that were sent together, as libnl passes them.
final class RouteExchange {
    /// How a request ended.
    struct Outcome {
        var code: Errno?
        var words: String?
    }

    private let first: UInt32
    private(set) var replies: [RouteReply] = []
    /// In the order of the requests; nil: not answered yet.
    private(set) var outcomes: [Outcome?]
    /// Whether a list changed while it was read, so that it is not of one moment.
    private(set) var isTorn = false

    init(first: UInt32, count: Int) {
        self.first = first
        outcomes = Array(repeating: nil, count: count)
    }

    var isComplete: Bool { outcomes.allSatisfy { $0 != nil } }

    /// Takes a message with content.
    func take(_ message: ReceivedBytes) {
        guard let header = Header(message), index(of: header) != nil, let body = message[header.body] else { return }
        if header.flags & UInt16(NLM_F_DUMP_INTR) != 0 { isTorn = true }
        replies.append(RouteReply(type: header.type, body: body))
    }

    /// Takes the end of a list (NLMSG_DONE), an error, or an acknowledgement, which is the error 0.
    func finish(_ message: ReceivedBytes) {
        guard let header = Header(message), let index = index(of: header), let body = message[header.body]
        else { return }
        if header.flags & UInt16(NLM_F_DUMP_INTR) != 0 { isTorn = true }
        let code = body.integer(as: Int32.self) ?? 0
        // Wrapping, because the least number has no opposite.
        outcomes[index] = Outcome(code: code == 0 ? nil : Errno(rawValue: 0 &- code), words: header.words(in: body))
    }

    private func index(of header: Header) -> Int? {
        let index = Int(header.sequence &- first)
        return outcomes.indices.contains(index) ? index : nil
    }

    /// The head of a message, see netlink(7).
    private struct Header {
        let type: UInt16
        let flags: UInt16
        let sequence: UInt32
        let body: Range<Int>

        init?(_ message: ReceivedBytes) {
            guard let length = message.integer(at: 0, as: UInt32.self),
                let type = message.integer(at: 4, as: UInt16.self), let flags = message.integer(at: 6, as: UInt16.self),
                let sequence = message.integer(at: 8, as: UInt32.self),
                length >= RouteMessage.headerSize, length <= message.count
            else { return nil }
            (self.type, self.flags, self.sequence) = (type, flags, sequence)
            body = RouteMessage.headerSize..<Int(length)
        }

        /// The kernel's message about an error; nil if there is none.
        ///
        /// It is after the error's number and the header of the request, and after the rest of the request unless that
        /// was left out.
        func words(in body: ReceivedBytes) -> String? {
            guard flags & UInt16(NLM_F_ACK_TLVS) != 0 else { return nil }
            var offset = 4 + RouteMessage.headerSize
            if flags & UInt16(NLM_F_CAPPED) == 0, let request = body.integer(at: 4, as: UInt32.self) {
                offset = 4 + (Int(request) + 3) & ~3
            }
            let text = ReceivedAttributes(body.dropFirst(offset))[Int(NLMSGERR_ATTR_MSG.rawValue)]?.text
            return text.flatMap { $0.isEmpty ? nil : $0 }
        }
    }
}

/// The kernel's answer about one object.
package struct RouteReply: Sendable {
    /// One of `RTM_…`.
    package let type: UInt16
    /// The fixed part and the attributes.
    package let body: ReceivedBytes

    /// The attributes after a fixed part of `size` bytes.
    package func attributes(after size: Int) -> ReceivedAttributes { ReceivedAttributes(body.dropFirst(size)) }
}
