import FoundationEssentials
import Synchronization
import Wording

extension Redaction {
    /// The secrets of all runs of this process; once known, they are removed from everything that is written later.
    private static let held = Mutex(HeldSecrets())

    /// Removes values from every later text, wherever they are: a host's token, for example.
    ///
    /// Ignores values of fewer than ``HeldSecrets/fewestBytes`` bytes, which would match everywhere.
    package static func hold(_ values: [String]) {
        held.withLock { $0.hold(values) }
    }

    /// A text without the held secrets.
    static func withoutHeld(_ text: String) -> String {
        held.withLock { $0 }.redacted(text)
    }
}

/// Known secrets, in each form in which programs write them.
struct HeldSecrets: Sendable {
    /// Shorter values protect nothing, and occur in many words.
    static let fewestBytes = 6

    /// The forms, by first byte, the longest first.
    private var forms: [UInt8: [[UInt8]]] = [:]

    /// Adds values.
    mutating func hold(_ values: [String]) {
        for value in values where value.utf8.count >= Self.fewestBytes && !Redaction.mark.contains(value) {
            for form in Self.forms(of: value) {
                guard let first = form.first, forms[first]?.contains(form) != true else { continue }
                forms[first, default: []].append(form)
                forms[first]?.sort { $0.count > $1.count }
            }
        }
    }

    /// The text with a mark instead of each value.
    func redacted(_ text: String) -> String {
        guard !forms.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var (index, copied) = (0, 0)
        while index < bytes.count {
            guard let form = forms[bytes[index]]?.first(where: { bytes[index...].starts(with: $0) }) else {
                index += 1
                continue
            }
            result += bytes[copied..<index]
            result += Redaction.mark.utf8
            index += form.count
            copied = index
        }
        guard copied > 0 else { return text }
        result += bytes[copied...]
        return String(decoding: result, as: UTF8.self)
    }

    /// The value itself, escaped in JSON, percent-encoded, and in Base64.
    private static func forms(of value: String) -> Set<[UInt8]> {
        let json = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let base64 = String(Data(value.utf8).base64EncodedString().prefix { $0 != "=" })
        let texts = [
            value, json, json.replacing("/", with: "\\/"), PercentEncoding.encoded(value),
            PercentEncoding.encoded(value, uppercase: false), base64,
            base64.replacing("+", with: "-").replacing("/", with: "_"),
        ]
        return Set(texts.map { Array($0.utf8) })
    }
}
