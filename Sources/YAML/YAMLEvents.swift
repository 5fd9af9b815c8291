import CYAML
import Documents

/// The events that libyaml reports for a text, one after the other.
///
/// *Aliases* can make a small file enormous, so none is ever followed. Private characters hide `&` and `*` from
/// libyaml, and are replaced in its texts. An anchor or an alias thus becomes a plain text that begins with `&` or `*`.
@safe struct YAMLEvents: ~Copyable {
    struct Event {
        enum Kind {
            case text(String, isPlain: Bool)
            case list
            case mapping
            /// A list or a mapping ends, or a document begins or ends, or the stream begins.
            case boundary
            case streamEnd
        }

        let kind: Kind
        let mark: Mark
        let hasTag: Bool
    }

    /// libyaml keeps the addresses of both.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    private static let hiddenAmpersand: Unicode.Scalar = "\u{E100}"
    private static let hiddenAsterisk: Unicode.Scalar = "\u{E101}"

    init(_ text: some Sequence<Unicode.Scalar>) {
        var hidden = String.UnicodeScalarView()
        for scalar in text {
            hidden.append(scalar == "&" ? Self.hiddenAmpersand : scalar == "*" ? Self.hiddenAsterisk : scalar)
        }
        let bytes = Array(String(hidden).utf8)
        unsafe input = .allocate(capacity: max(1, bytes.count))
        unsafe parser = .allocate(capacity: 1)
        _ = unsafe input.initialize(from: bytes)
        // It fails only without memory, and then the program cannot continue.
        precondition(unsafe yaml_parser_initialize(parser) == 1, "there is no memory to read YAML")
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    /// The next event.
    ///
    /// Do not call it after the last event, or after an error.
    mutating func next() throws(YAMLError) -> Event {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw error }
        defer { unsafe yaml_event_delete(&event) }
        let mark = unsafe Mark(event.start_mark)
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let text = unsafe Self.restored(String(decoding: bytes, as: UTF8.self))
            let isPlain = unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
            let hasTag = unsafe scalar.quoted_implicit == 0 && Self.saysMore(scalar.tag)
            return Event(kind: .text(text, isPlain: isPlain), mark: mark, hasTag: hasTag)
        case YAML_SEQUENCE_START_EVENT:
            let list = unsafe event.data.sequence_start
            return Event(kind: .list, mark: mark, hasTag: unsafe list.implicit == 0 && Self.saysMore(list.tag))
        case YAML_MAPPING_START_EVENT:
            let mapping = unsafe event.data.mapping_start
            return Event(kind: .mapping, mark: mark, hasTag: unsafe mapping.implicit == 0 && Self.saysMore(mapping.tag))
        case YAML_STREAM_END_EVENT: return Event(kind: .streamEnd, mark: mark, hasTag: false)
        default: return Event(kind: .boundary, mark: mark, hasTag: false)
        }
    }

    private var error: YAMLError {
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) }
        let context = unsafe parser.pointee.context.map {
            unsafe (text: String(cString: $0), mark: Mark(parser.pointee.context_mark))
        }
        let mark = unsafe Mark(parser.pointee.problem_mark)
        return .syntax(problem ?? "libyaml ran out of memory", at: mark, context: context)
    }

    /// Whether a tag says more than that a scalar is a string.
    private static func saysMore(_ tag: UnsafeMutablePointer<yaml_char_t>?) -> Bool {
        guard let tag = unsafe tag else { return false }
        return unsafe !["", "tag:yaml.org,2002:str"].contains(String(cString: tag))
    }

    /// The text of a scalar as the file has it, with `&` and `*`.
    private static func restored(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 == hiddenAmpersand || $0 == hiddenAsterisk }) else {
            return text
        }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar == hiddenAmpersand ? "&" : scalar == hiddenAsterisk ? "*" : scalar)
        }
        return String(scalars)
    }
}

extension Mark {
    /// libyaml counts from 0, and columns in characters.
    fileprivate init(_ mark: yaml_mark_t) { self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1) }
}
