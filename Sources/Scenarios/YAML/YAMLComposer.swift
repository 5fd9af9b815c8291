import Yams

import struct Documents.Mark

/// Parses a text into Yams' nodes, with two precautions that Yams does not offer.
///
/// *Aliases* can make a small file enormous, so none is ever followed: `&` and `*` are hidden from the parser behind
/// private characters, and put back into the texts. What would have been an anchor or an alias is then a plain text that
/// begins with one, which ``YAMLReader`` refuses.
///
/// *Duplicate keys* end Yams' reading at the first. They are renamed and the text parsed anew, so that the rest of the
/// file is checked too.
struct YAMLComposer {
    /// What the parser sees.
    private var text: YAMLText
    /// Keys that were renamed because the same key follows: where they are, and what they are called.
    private(set) var renamedKeys: [Mark: String] = [:]

    /// After so many duplicate keys the rest does not matter.
    private static let mostRenamed = 32
    private static let hiddenAmpersand: Unicode.Scalar = "\u{E100}"
    private static let hiddenAsterisk: Unicode.Scalar = "\u{E101}"
    private static let firstRename: UInt32 = 0xE200

    init(_ text: YAMLText) {
        self.text = text
        for index in self.text.scalars.indices {
            switch self.text.scalars[index] {
            case "&": self.text.scalars[index] = Self.hiddenAmpersand
            case "*": self.text.scalars[index] = Self.hiddenAsterisk
            default: continue
            }
        }
    }

    /// The root of the only document; nil for an empty text.
    mutating func compose() throws(YamlError) -> Node? {
        while true {
            do {
                let yaml = String(String.UnicodeScalarView(text.scalars))
                // The basic resolver: no scalar is anything but text.
                return try Parser(yaml: yaml, resolver: .basic, encoding: .utf8).singleRoot()
            } catch let error as YamlError {
                guard case .duplicatedKeysInMapping(let names, let context) = error,
                    rename(names[0], at: Mark(line: context.mark.line, column: context.mark.column))
                else { throw error }
            } catch {
                throw YamlError.representer(problem: "\(error)")
            }
        }
    }

    /// The text of a scalar as it stands in the file.
    static func restored(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 == hiddenAmpersand || $0 == hiddenAsterisk }) else {
            return text
        }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar == hiddenAmpersand ? "&" : scalar == hiddenAsterisk ? "*" : scalar)
        }
        return String(scalars)
    }

    /// Whether the scalar would have been an anchor or an alias.
    static func isReference(_ scalar: Node.Scalar) -> Bool {
        guard scalar.style == .plain, let first = scalar.string.unicodeScalars.first else { return false }
        return first == hiddenAmpersand || first == hiddenAsterisk
    }

    private mutating func rename(_ name: String, at mark: Mark) -> Bool {
        guard renamedKeys.count < Self.mostRenamed, renamedKeys[mark] == nil, let index = text.index(of: mark),
            let substitute = Unicode.Scalar(Self.firstRename + UInt32(renamedKeys.count))
        else { return false }
        let isQuoted = text.scalars[index] == "\"" || text.scalars[index] == "'"
        let target = isQuoted ? index + 1 : index
        guard text.scalars.indices.contains(target) else { return false }
        text.scalars[target] = substitute
        renamedKeys[mark] = Self.restored(name)
        return true
    }
}
