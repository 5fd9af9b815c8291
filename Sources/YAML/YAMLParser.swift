import CYAML
import Documents

/// The values that libyaml finds in a text, one after the other.
///
/// *Aliases* can make a small file enormous, so none is ever followed. Private characters hide `&` and `*` from
/// libyaml, and are replaced in its texts. An anchor or an alias thus becomes a plain text that begins with `&` or `*`.
@safe struct YAMLParser: ~Copyable {
    /// libyaml keeps the addresses of both.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    private static let hiddenAmpersand: Unicode.Scalar = "\u{E100}"
    private static let hiddenAsterisk: Unicode.Scalar = "\u{E101}"

    init(_ text: some Sequence<Unicode.Scalar>) {
        let hidden = text.map { $0 == "&" ? Self.hiddenAmpersand : $0 == "*" ? Self.hiddenAsterisk : $0 }
        let bytes = Array(String(String.UnicodeScalarView(hidden)).utf8)
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

    /// The next place where the stream or a document begins or ends; `isEnd` at the end of the stream.
    mutating func boundary() throws(YAMLError) -> (isEnd: Bool, mark: Mark) {
        var event = try unsafe next()
        defer { unsafe yaml_event_delete(&event) }
        return unsafe (event.type == YAML_STREAM_END_EVENT, Mark(event.start_mark))
    }

    /// The next value, at this level of nesting; nil at the end of the list or mapping.
    mutating func value(depth: Int = 0) throws(YAMLError) -> YAMLValue? {
        var event = try unsafe next()
        defer { unsafe yaml_event_delete(&event) }
        let mark = unsafe Mark(event.start_mark)
        let values = [YAML_SCALAR_EVENT, YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT]
        guard unsafe values.contains(event.type) else { return nil }
        guard depth <= YAMLValue.deepest else { throw .tooDeep(at: mark) }
        let content: YAMLValue.Content
        let hasTag: Bool
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let text = unsafe Self.restored(String(decoding: bytes, as: UTF8.self))
            content = .text(text, isPlain: unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE)
            hasTag = unsafe scalar.quoted_implicit == 0 && Self.saysMore(scalar.tag)
        case YAML_SEQUENCE_START_EVENT:
            var items: [YAMLValue] = []
            while let item = try value(depth: depth + 1) { items.append(item) }
            content = .list(items)
            let list = unsafe event.data.sequence_start
            hasTag = unsafe list.implicit == 0 && Self.saysMore(list.tag)
        default:
            var entries: [(key: YAMLValue, value: YAMLValue)] = []
            while let key = try value(depth: depth + 1), let value = try value(depth: depth + 1) {
                entries.append((key, value))
            }
            content = .mapping(entries)
            let mapping = unsafe event.data.mapping_start
            hasTag = unsafe mapping.implicit == 0 && Self.saysMore(mapping.tag)
        }
        return YAMLValue(mark: mark, content: content, hasTag: hasTag)
    }

    /// The next event, which the caller deletes; there is none after the last one, or after an error.
    private mutating func next() throws(YAMLError) -> yaml_event_t {
        var event = unsafe yaml_event_t()
        if unsafe yaml_parser_parse(parser, &event) == 1 { return unsafe event }
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) }
        let context = unsafe parser.pointee.context.map {
            unsafe (text: String(cString: $0), mark: Mark(parser.pointee.context_mark))
        }
        let mark = unsafe Mark(parser.pointee.problem_mark)
        throw .syntax(problem ?? "libyaml ran out of memory", at: mark, context: context)
    }

    /// Whether a tag says more than that a scalar is a string.
    private static func saysMore(_ tag: UnsafeMutablePointer<yaml_char_t>?) -> Bool {
        guard let tag = unsafe tag else { return false }
        return unsafe !["", "tag:yaml.org,2002:str"].contains(String(cString: tag))
    }

    /// The text of a scalar as the file has it, with `&` and `*`.
    private static func restored(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.contains(where: { $0 == hiddenAmpersand || $0 == hiddenAsterisk }) else { return text }
        let shown = scalars.map { $0 == hiddenAmpersand ? "&" : $0 == hiddenAsterisk ? "*" : $0 }
        return String(String.UnicodeScalarView(shown))
    }
}

extension Mark {
    /// libyaml counts from 0, and columns in characters.
    fileprivate init(_ mark: yaml_mark_t) { self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1) }
}
