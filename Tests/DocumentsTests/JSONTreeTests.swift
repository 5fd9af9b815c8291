import Documents
import FoundationEssentials
import Testing

@Suite("Values that encode as a tree")
struct JSONTreeTests {
    private enum End: Encodable {
        case complete, cutShort(byReset: Bool), failed(reason: String)
    }

    private enum Kind: Encodable {
        case opened(port: UInt16, name: String? = nil)
        case closed(Closing)
        case listenerFailed
    }

    private struct Closing: Encodable {
        var bytes: UInt64
        var end: End
    }

    private struct Event: Encodable {
        var kind: Kind
        var texts: [String] = []
    }

    private struct Part: Codable, Equatable {
        enum Word: String, Codable { case one }
        var flag: Bool
        var count: Int8?
        var share: Double?
        var texts: [String]?
        var word: Word?
        var parts: [String: Int]?
    }

    private static let events: [(Kind, String)] = [
        (.opened(port: 80), #""kind":"opened","port":80,"texts":[]"#),
        (.opened(port: 80, name: "a\"\u{7}"), #""kind":"opened","port":80,"name":"a\"\u0007","texts":[]"#),
        (
            .closed(.init(bytes: .max, end: .complete)),
            #""kind":"closed","bytes":\#(UInt64.max),"end":"complete","texts":[]"#
        ),
        (
            .closed(.init(bytes: 0, end: .cutShort(byReset: true))),
            #""kind":"closed","bytes":0,"end":"cut-short","byReset":true,"texts":[]"#
        ),
        (
            .closed(.init(bytes: 0, end: .failed(reason: "r"))),
            #""kind":"closed","bytes":0,"end":"failed","reason":"r","texts":[]"#
        ),
        (.listenerFailed, #""kind":"listener-failed","texts":[]"#),
    ]

    @Test("a case is encoded as its name, with its values as further members", arguments: events)
    private func cases(kind: Kind, members: String) {
        #expect(JSONTree(encoding: Event(kind: kind)).line == "{\(members)}")
    }

    @Test("a value reads back as it was encoded")
    func decoded() throws {
        for part in [
            Part(flag: true), Part(flag: false, count: -8, share: 0.5, texts: ["a", ""], word: .one, parts: ["a": 1]),
        ] {
            let tree = JSONTree(encoding: part)
            #expect(try JSONDecoder().decode(Part.self, from: Data(tree.line.utf8)) == part)
            // A tree within another one stays as it is.
            #expect(JSONTree(encoding: ["a": tree]) == .object(["a": tree]))
        }
    }

    @Test("a number is whole or not, however it is written")
    func numbers() {
        #expect(JSONTree.number(5).integer == 5 && JSONTree.integer(5).number == 5)
        #expect(JSONTree.number(1.5).number == 1.5)
        let others: [JSONTree] = [.number(1.5), .number(.nan), .text("5"), .flag(true), .null]
        #expect(others.allSatisfy { $0.integer == nil })
    }

    @Test("numbers that are not finite are null")
    func notFinite() {
        #expect(JSONTree.list([.number(.nan), .number(-.infinity), .number(1)]).line == "[null,null,1.0]")
    }
}
