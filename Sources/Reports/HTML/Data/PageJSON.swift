import Redaction
import Wording
/// Compact JSON that can be embedded in a `script` element, whatever its texts contain.
///
/// It escapes `<`, and the two line ends that JavaScript knows and JSON does not. Texts are put on one line, without
/// characters that control the direction of writing, because they are shown.
struct PageJSON {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false
    /// A cache of ``isSecret(_:)``: there are few names, each used often.
    private var secretNames: [String: Bool] = [:]

    /// The most bytes of a text; a longer one is cut.
    static let mostTextBytes = 4000

    mutating func object(_ body: (inout PageJSON) -> Void) { nested("{", "}", body) }

    mutating func list(_ body: (inout PageJSON) -> Void) { nested("[", "]", body) }

    mutating func list<Element>(_ elements: some Sequence<Element>, _ body: (inout PageJSON, Element) -> Void) {
        list { json in for element in elements { body(&json, element) } }
    }

    mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        raw("\":")
        needsComma = false
    }

    mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let utf8 = text.utf8
        if utf8.count <= Self.mostTextBytes, utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            for byte in utf8 { append(byte) }
        } else {
            let line = text.singleLine
            let shown = line.beginning(Self.mostTextBytes)
            for byte in shown.utf8 { append(byte) }
            if shown.utf8.count < line.utf8.count { raw("…") }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func integer(_ value: some BinaryInteger) {
        separate()
        raw("\(value)")
    }

    /// A number that is not finite is null.
    mutating func number(_ value: Double) {
        separate()
        if value == value.rounded(), value.magnitude < 1e15 {
            raw("\(Int64(value))")
        } else {
            raw(value.isFinite ? "\(value)" : "null")
        }
    }

    mutating func flag(_ value: Bool) {
        separate()
        raw(value ? "true" : "false")
    }

    mutating func null() {
        separate()
        raw("null")
    }

    /// Whether a field of that name holds a secret.
    mutating func isSecret(_ name: String) -> Bool {
        if let known = secretNames[name] { return known }
        let isSecret = Redaction.isSecret(name)
        if secretNames.count < 1000 { secretNames[name] = isSecret }
        return isSecret
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func nested(_ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout PageJSON) -> Void) {
        separate()
        bytes.append(UInt8(ascii: open))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }

    private mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case UInt8(ascii: "<"): raw("\\u003c")
        case 0..<0x20, 0x7F: raw("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
        default: bytes.append(byte)
        }
    }
}

extension PageJSON {
    /// Adds a member, unless its value is nil.
    private mutating func add<Value>(
        _ name: StaticString, unlessNil value: Value?, _ body: (inout PageJSON, Value) -> Void
    ) {
        guard let value else { return }
        key(name)
        body(&self, value)
    }

    mutating func add(_ name: StaticString, _ text: String?) { add(name, unlessNil: text) { $0.string($1) } }

    mutating func add(_ name: StaticString, _ value: Double?) { add(name, unlessNil: value) { $0.number($1) } }

    mutating func add(_ name: StaticString, _ value: (some BinaryInteger)?) {
        add(name, unlessNil: value) { $0.integer($1) }
    }

    mutating func add(_ name: StaticString, _ value: Bool?) { add(name, unlessNil: value) { $0.flag($1) } }

    /// An empty list is left out.
    mutating func add(_ name: StaticString, _ texts: [String]) {
        add(name, list: texts) { $0.string($1) }
    }

    /// An empty list is left out.
    mutating func add<Element>(
        _ name: StaticString, list elements: [Element], _ body: (inout PageJSON, Element) -> Void
    ) {
        guard !elements.isEmpty else { return }
        key(name)
        list(elements, body)
    }

    /// A list of objects with the members that `body` adds; an empty list is left out.
    mutating func add<Element>(
        _ name: StaticString, objects elements: [Element], _ body: (inout PageJSON, Element) -> Void
    ) {
        add(name, list: elements) { json, element in json.object { body(&$0, element) } }
    }

    /// A list of lists with the items that `body` adds; an empty list is left out.
    mutating func add<Element>(
        _ name: StaticString, lists elements: [Element], _ body: (inout PageJSON, Element) -> Void
    ) {
        add(name, list: elements) { json, element in json.list { body(&$0, element) } }
    }

    mutating func add(_ name: StaticString, object body: (inout PageJSON) -> Void) {
        key(name)
        object(body)
    }

    /// Adds a member whose value is already JSON.
    mutating func add(_ name: StaticString, json: [UInt8]) {
        key(name)
        separate()
        bytes += json
    }

    /// A number or null.
    mutating func optional(_ value: Double?) {
        if let value { number(value) } else { null() }
    }

    /// Seconds, rounded to 0.1 ms.
    mutating func seconds(_ value: Double) { number((value * 1e4).rounded() / 1e4) }
}

extension Double {
    /// The number rounded to seven digits; `result.json` has all digits.
    var forPeople: Double {
        guard isFinite, self != 0, magnitude < 1e15 else { return self }
        var scale = 1.0
        while magnitude * scale < 1e6, scale < 1e12 { scale *= 10 }
        return (self * scale).rounded() / scale
    }
}
