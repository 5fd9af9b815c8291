import Testing

@testable import headwind_sandbox

/// Answers of the resolver, byte by byte as in RFC 1035.
@Suite struct NameTableTests {
    static let table = NameTable(
        names: ["packs.headwind.internal", "CDN.example"], ipv4: [10, 77, 1, 2], ipv6: Array(repeating: 7, count: 16))

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        var type: UInt16 = 1
        var recordClass: UInt16 = 1
        let code: UInt8
        var records: [UInt16] = []

        var testDescription: String { "\(name) \(type) \(recordClass)" }
    }

    @Test(arguments: [
        Case(name: "packs.headwind.internal", code: 0, records: [1]),
        Case(name: "pAcKs.HEADWIND.internal", code: 0, records: [1]),
        Case(name: "cdn.EXAMPLE", code: 0, records: [1]),
        Case(name: "packs.headwind.internal", type: 28, code: 0, records: [28]),
        Case(name: "packs.headwind.internal", type: 255, code: 0, records: [1, 28]),
        Case(name: "packs.headwind.internal", recordClass: 255, code: 0, records: [1]),
        // The name exists without a record of this type: MX, HTTPS, TXT.
        Case(name: "packs.headwind.internal", type: 15, code: 0),
        Case(name: "packs.headwind.internal", type: 65, code: 0),
        // A name exists below it (RFC 8020).
        Case(name: "headwind.internal", code: 0), Case(name: "example", code: 0), Case(name: "", type: 2, code: 0),
        Case(name: "other.headwind.internal", code: 3), Case(name: "x.packs.headwind.internal", code: 3),
        Case(name: "acks.headwind.internal", code: 3), Case(name: "localhost", code: 3),
        Case(name: "2.1.77.10.in-addr.arpa", type: 12, code: 3),
        Case(name: "packs.headwind.internal", recordClass: 3, code: 5),
    ])
    func answers(_ example: Case) throws {
        let question = query(example.name, type: example.type, recordClass: example.recordClass)
        let answer = try #require(Self.table.answer(to: question))
        // The question is returned in its original case.
        #expect(answer[0..<2] == question[0..<2] && answer[12..<question.count] == question[12...])
        #expect(answer[2] == 0x85 && answer[3] == 0x80 | example.code)
        #expect(answer[4..<12] == [0, 1, 0, UInt8(example.records.count), 0, 0, 0, 0])
        #expect(records(answer[question.count...]) == example.records)
    }

    @Test func answersWithTheAddress() {
        let answer = Self.table.answer(to: query("cdn.example", type: 1))
        #expect(answer?.suffix(16) == [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 77, 1, 2])
    }

    @Test func hasNoIPv6InASandboxWithoutIt() {
        let table = NameTable(names: ["a"], ipv4: [1, 2, 3, 4], ipv6: nil)
        #expect(table.answer(to: query("a", type: 28))?[4..<8] == [0, 1, 0, 0])
        #expect(table.answer(to: query("a", type: 255))?[4..<8] == [0, 1, 0, 1])
    }

    @Test func hasNoIPv4WhereNamesHaveNone() {
        let table = NameTable(names: ["a"], ipv4: nil, ipv6: Array(repeating: 7, count: 16))
        // The name exists without a record of this type.
        #expect(table.answer(to: query("a", type: 1))?[3..<8] == [0x80, 0, 1, 0, 0])
        #expect(table.answer(to: query("a", type: 28))?[4..<8] == [0, 1, 0, 1])
        #expect(table.answer(to: query("a", type: 255))?[4..<8] == [0, 1, 0, 1])
    }

    /// A message that is no DNS question gets an error or no answer, and never more bytes than were sent.
    @Test(
        arguments: [
            ([], nil), ([0], nil), (Array(repeating: 0, count: 11), nil),
            // No question, two questions, only records.
            (header(questions: 0), 1), (header(questions: 2) + [0, 0, 1, 0, 1, 0, 0, 1, 0, 1], 1),
            // A response, and an operation other than a query.
            (header(flags: 0x80) + [0, 0, 1, 0, 1], nil), (header(flags: 0x28) + [0, 0, 1, 0, 1], 4),
            // Names that end too early, are too long, or point back at themselves.
            (header(), 1), (header() + [5, 97], 1), (header() + [1, 97, 0], 1), (header() + [1, 97, 0, 0, 1, 0], 1),
            (header() + [0xc0, 12, 0, 1, 0, 1], 1),
            (header() + [64] + Array(repeating: 97, count: 64) + [0, 0, 1, 0, 1], 1),
            (header() + Array(repeating: [1, 97], count: 128).flatMap { $0 } + [0, 0, 1, 0, 1], 1),
        ] as [([UInt8], UInt8?)])
    func refusesOtherMessages(message: [UInt8], code: UInt8?) {
        let answer = Self.table.answer(to: message)
        #expect(answer.map { $0[3] & 15 } == code)
        if let answer { #expect(answer.count == 12 && answer[4..<12] == [0, 0, 0, 0, 0, 0, 0, 0]) }
    }

    /// Random messages cause no crash, and no answer longer than the question and two records.
    @Test func survivesRandomMessages() {
        var random = SplitMix(state: 3)
        for _ in 0..<20_000 {
            var message = query("packs.headwind.internal", type: UInt16.random(in: 0...300, using: &random))
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                message[Int.random(in: 0..<message.count, using: &random)] = UInt8.random(
                    in: .min ... .max, using: &random)
            }
            message = Array(message.prefix(Int.random(in: 0...message.count, using: &random)))
            if let answer = Self.table.answer(to: message) { #expect(answer.count <= message.count + 12 + 44) }
        }
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var word = state
            word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
            word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
            return word ^ word >> 31
        }
    }
}

private func header(flags: UInt8 = 1, questions: UInt8 = 1) -> [UInt8] {
    [0x12, 0x34, flags, 0, 0, questions, 0, 0, 0, 0, 0, 0]
}

private func query(_ name: String, type: UInt16, recordClass: UInt16 = 1) -> [UInt8] {
    let labels = name.utf8.split(separator: UInt8(ascii: ".")).flatMap { [UInt8($0.count)] + $0 }
    return header() + labels + [
        0, UInt8(type >> 8), UInt8(type & 255), UInt8(recordClass >> 8), UInt8(recordClass & 255),
    ]
}

/// The types of records whose names are compression pointers.
private func records(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
    var rest = bytes
    var types: [UInt16] = []
    while rest.count >= 12 {
        let start = rest.startIndex
        types.append(UInt16(rest[start + 2]) << 8 | UInt16(rest[start + 3]))
        rest = rest.dropFirst(12 + Int(rest[start + 11]))
    }
    return types
}
