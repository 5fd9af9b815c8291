import CNetlink
import SystemPackage

/// The answers to requests that were sent together, as libnl hands them over.
final class RouteExchange {
    /// How a request ended.
    struct Outcome {
        var code: Errno?
        var words: String?
    }

    private let first: UInt32
    private(set) var replies: [RouteReply] = []
    /// By the order of requests; nil: not yet.
    private(set) var outcomes: [Outcome?]
    /// What was told changed meanwhile, so that it is not all of one moment.
    private(set) var isTorn = false

    init(first: UInt32, count: Int) {
        self.first = first
        outcomes = Array(repeating: nil, count: count)
    }

    var isComplete: Bool { outcomes.allSatisfy { $0 != nil } }

    /// A message with something in it.
    func take(_ message: ReceivedBytes) {
        guard let header = Header(message), index(of: header) != nil, let body = message[header.body] else { return }
        if header.flags & UInt16(NLM_F_DUMP_INTR) != 0 { isTorn = true }
        replies.append(RouteReply(type: header.type, body: body))
    }

    /// The end of a list (NLMSG_DONE), an error, or an acknowledgement, which is the error 0.
    func finish(_ message: ReceivedBytes) {
        guard let header = Header(message), let index = index(of: header), let body = message[header.body]
        else { return }
        if header.flags & UInt16(NLM_F_DUMP_INTR) != 0 { isTorn = true }
        let code = body.integer(as: Int32.self) ?? 0
        // Wrapping: the least number has no opposite.
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

        /// What the kernel says of an error: behind its number and the head of the request, and behind the rest of that
        /// where it was not left out.
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

/// What the kernel tells of one thing that was asked for.
package struct RouteReply: Sendable {
    /// One of `RTM_…`.
    package let type: UInt16
    /// The fixed part and the attributes.
    package let body: ReceivedBytes

    /// The attributes behind a fixed part of so many bytes.
    package func attributes(after size: Int) -> ReceivedAttributes { ReceivedAttributes(body.dropFirst(size)) }
}
