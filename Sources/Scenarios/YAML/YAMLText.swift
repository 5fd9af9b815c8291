import Documents

/// The text of a YAML file, after checks that protect the parser.
struct YAMLText {
    /// The text as Unicode scalars, without a byte order mark.
    private(set) var scalars: [Unicode.Scalar] = []
    /// The index in `scalars` of each line's start.
    private var lineStarts: [Int] = [0]

    /// The maximum size of a file, 1 MiB; people write files that are much smaller.
    static let mostBytes = 1 << 20

    /// Reads UTF-8; nil if there were problems.
    init?(_ bytes: [UInt8], _ problems: Problems) {
        guard bytes.count <= Self.mostBytes else {
            problems.add("the file is larger than 1 MiB", at: .start, hint: "split it")
            return nil
        }
        let before = problems.found.count
        decode(bytes, problems)
        guard problems.found.count == before else { return nil }
    }

    /// The index in `scalars` of `mark`; nil if it is beyond the text.
    func index(of mark: Mark) -> Int? {
        guard lineStarts.indices.contains(mark.line - 1) else { return nil }
        let index = lineStarts[mark.line - 1] + mark.column - 1
        return scalars.indices.contains(index) ? index : nil
    }

    /// The scalar at `mark`; nil if there is none.
    subscript(mark: Mark) -> Unicode.Scalar? { index(of: mark).map { scalars[$0] } }

    private var end: Mark { Mark(line: lineStarts.count, column: scalars.count - (lineStarts.last ?? 0) + 1) }

    private mutating func decode(_ bytes: [UInt8], _ problems: Problems) {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue("\u{FEFF}") where scalars.isEmpty: continue
            case .scalarValue(let scalar): append(scalar, problems)
            case .emptyInput: return
            case .error:
                let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
                let hint = isUTF16 ? "it looks like UTF-16; save it as UTF-8" : "save the file as UTF-8"
                return problems.add("this byte is not UTF-8", at: end, hint: hint)
            }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar, _ problems: Problems) {
        if Self.isForbidden(scalar) {
            let code = String(scalar.value, radix: 16, uppercase: true)
            let number = String(repeating: "0", count: max(0, 4 - code.count)) + code
            problems.add("the character U+\(number) is not allowed in a text file", at: end)
        }
        let followsReturn = scalars.last == "\r"
        if followsReturn, scalar != "\n" { lineStarts.append(scalars.count) }
        scalars.append(scalar)
        if scalar == "\n" { lineStarts.append(scalars.count) }
    }

    /// Whether a scalar is a control character, a line break that editors do not count, or a private-use character.
    ///
    /// Private-use characters are refused because ``YAMLValue`` uses them as internal markers.
    static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: false
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
        default: scalar.properties.generalCategory == .privateUse
        }
    }
}
