import LinuxSupport

/// Answers DNS questions (RFC 1035) for the names of a sandbox, which all lead to its host.
///
/// The answer depends on the question alone, and its size is bounded.
struct NameTable {
    /// Labels of each name, in lower case.
    private let names: Set<[[UInt8]]>
    /// `nil` if the names have no IPv4 address.
    private let ipv4: [UInt8]?
    /// `nil` if the names have no IPv6 address, or the sandbox has no IPv6.
    private let ipv6: [UInt8]?

    /// How long a client may cache an answer, in seconds.
    private static let timeToLive: UInt16 = 60

    /// A name that is too long for DNS, or has a label that DNS does not allow, matches no question.
    init(names: [String], ipv4: [UInt8]?, ipv6: [UInt8]?) {
        self.names = Set(
            names.map { name in
                name.utf8.split(separator: UInt8(ascii: ".")).map { $0.map(Self.lowercased) }
            })
        self.ipv4 = ipv4
        self.ipv6 = ipv6
    }

    private enum Code: UInt8 {
        case noError = 0
        case formatError = 1
        case nameError = 3
        case notImplemented = 4
        case refused = 5
    }

    private enum RecordType {
        static let ipv4: UInt16 = 1
        static let ipv6: UInt16 = 28
        static let any: UInt16 = 255
    }

    /// The answer to a message; `nil` if the message is no question.
    func answer(to message: some RandomAccessCollection<UInt8>) -> [UInt8]? {
        let query = Array(message)
        guard query.count >= 12, query[2] & 0x80 == 0 else { return nil }
        guard query[2] & 0x78 == 0 else { return reply(to: query, .notImplemented) }
        guard query[4] == 0, query[5] == 1, let question = Question(query) else {
            return reply(to: query, .formatError)
        }
        guard question.recordClass == 1 || question.recordClass == 255 else {
            return reply(to: query, .refused, question)
        }
        let isOurs = names.contains(question.labels)
        guard isOurs || names.contains(where: { $0.suffix(question.labels.count) == question.labels[...] }) else {
            return reply(to: query, .nameError, question)
        }
        var answers: [[UInt8]] = []
        if isOurs, [RecordType.ipv4, RecordType.any].contains(question.type), let ipv4 {
            answers.append(Self.record(RecordType.ipv4, ipv4))
        }
        if isOurs, [RecordType.ipv6, RecordType.any].contains(question.type), let ipv6 {
            answers.append(Self.record(RecordType.ipv6, ipv6))
        }
        return reply(to: query, .noError, question, answers)
    }

    private func reply(
        to query: [UInt8], _ code: Code, _ question: Question? = nil, _ answers: [[UInt8]] = []
    ) -> [UInt8] {
        // An authoritative response, with the question's opcode and "recursion desired"; recursion is available.
        var reply = [query[0], query[1], 0x84 | query[2] & 0x79, 0x80 | code.rawValue]
        reply += [0, question == nil ? 0 : 1, 0, UInt8(answers.count), 0, 0, 0, 0]
        if let question { reply += query[12..<question.end] }
        return answers.reduce(into: reply) { $0 += $1 }
    }

    /// A record for the name in the question, which begins at byte 12.
    private static func record(_ type: UInt16, _ address: [UInt8]) -> [UInt8] {
        // The class is IN, and the upper half of the time to live is 0.
        [0xc0, 12] + type.networkOrder + [0, 1, 0, 0] + timeToLive.networkOrder
            + UInt16(address.count).networkOrder + address
    }

    fileprivate static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

/// The question in a message.
private struct Question {
    let labels: [[UInt8]]
    let type: UInt16
    let recordClass: UInt16
    /// The offset of the byte after the question.
    let end: Int

    /// `nil` if the name runs beyond the message, is longer than 255 bytes, or has a pointer, which no question needs.
    init?(_ message: [UInt8]) {
        var labels: [[UInt8]] = []
        var place = 12
        while true {
            guard place < message.count, place - 12 < 255 else { return nil }
            let length = Int(message[place])
            place += 1
            if length == 0 { break }
            guard length < 64, place + length <= message.count else { return nil }
            labels.append(message[place..<place + length].map(NameTable.lowercased))
            place += length
        }
        guard place + 4 <= message.count else { return nil }
        self.labels = labels
        type = UInt16(message[place]) << 8 | UInt16(message[place + 1])
        recordClass = UInt16(message[place + 2]) << 8 | UInt16(message[place + 3])
        end = place + 4
    }
}
