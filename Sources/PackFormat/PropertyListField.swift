/// A value in a property list with its path, so that errors can name the place.
struct PropertyListField {
    let value: PropertyList
    /// The path, such as `resources[3].URL`; empty for the list itself.
    let path: String
    /// The name of the list in errors.
    let what: String

    /// The list itself.
    init(_ bytes: [UInt8], what: String) throws(PackFormatError) {
        self.init(value: try PropertyList(bytes, what: what), path: "", what: what)
    }

    private init(value: PropertyList, path: String, what: String) {
        self.value = value
        self.path = path
        self.what = what
    }

    /// The value of a dictionary's key; throws if it is missing.
    func required(_ key: String) throws(PackFormatError) -> PropertyListField {
        guard let field = try optional(key) else {
            throw .notReadable(what: what, reason: "\(place) the key '\(key)' is missing")
        }
        return field
    }

    /// The value of a dictionary's key, or nil.
    func optional(_ key: String) throws(PackFormatError) -> PropertyListField? {
        guard case .dictionary(let entries) = value else { throw wrong("a dictionary") }
        return entries[key].map { PropertyListField(value: $0, path: child(key), what: what) }
    }

    /// The entries of a dictionary, sorted by key.
    func entries() throws(PackFormatError) -> [(key: String, field: PropertyListField)] {
        guard case .dictionary(let entries) = value else { throw wrong("a dictionary") }
        return entries.sorted { $0.key < $1.key }.map {
            ($0.key, PropertyListField(value: $0.value, path: child($0.key), what: what))
        }
    }

    /// The elements of an array.
    func elements() throws(PackFormatError) -> [PropertyListField] {
        guard case .array(let values) = value else { throw wrong("an array") }
        return values.enumerated().map {
            PropertyListField(value: $0.element, path: "\(path)[\($0.offset)]", what: what)
        }
    }

    /// A text that is not empty.
    func text() throws(PackFormatError) -> String {
        guard case .string(let text) = value, !text.isEmpty else { throw wrong("a string that is not empty") }
        return text
    }

    /// An array of texts that are not empty; throws if two differ only by Unicode normalisation, see ``NameLedger``.
    func names() throws(PackFormatError) -> [String] {
        var (texts, names) = ([String](), NameLedger())
        for element in try elements() {
            let text = try element.text()
            if case .twin(let twin) = names.enter(text) {
                throw .notReadable(what: what, reason: "\(place) \(NameLedger.reason(text, twin))")
            }
            texts.append(text)
        }
        return texts
    }

    /// A pack's identifier: a text without control characters, because file names, events and messages contain it.
    func identifier() throws(PackFormatError) -> String {
        let text = try text()
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .notReadable(what: what, reason: "\(place) there is an identifier with a control character")
        }
        return text
    }

    /// An array of identifiers; throws if two differ only by Unicode normalisation.
    func identifiers() throws(PackFormatError) -> [String] {
        for element in try elements() { _ = try element.identifier() }
        return try names()
    }

    /// The most bytes of a pack in a list: 16 TiB, so that the sizes of all packs can be added up.
    private static let mostBytes: Int64 = 1 << 44

    /// A whole number of bytes, from 0 to 16 TiB.
    func size() throws(PackFormatError) -> Int64 {
        let size: Int64? =
            switch value {
            case .integer(let number): number
            case .real(let number): Int64(exactly: number)
            default: nil
            }
        guard let size, (0...Self.mostBytes).contains(size) else {
            throw wrong("a number of bytes, 0 to \(Self.mostBytes)")
        }
        return size
    }

    /// A number from 0 to 1.
    func share() throws(PackFormatError) -> Double {
        switch value {
        case .integer(let number) where (0...1).contains(number): return Double(number)
        case .real(let number) where (0...1).contains(number): return number
        default: throw wrong("a number from 0 to 1")
        }
    }

    /// A boolean, or 0 or 1 instead: Xcode's exports have 1 for true.
    func flag() throws(PackFormatError) -> Bool {
        switch value {
        case .boolean(let flag): return flag
        case .integer(let number) where number == 0 || number == 1: return number == 1
        default: throw wrong("a boolean")
        }
    }

    /// An error that says which value is expected here, and which is found.
    func wrong(_ wanted: String) -> PackFormatError {
        let found: String =
            switch value {
            case .string(let text): "the string '\(NameText.visible(String(text.prefix(40))))'"
            case .integer(let number): "\(number)"
            case .real(let number): "\(number)"
            case .boolean, .array, .dictionary, .other: value.kind
            }
        return .notReadable(what: what, reason: "\(place) there should be \(wanted), and there is \(found)")
    }

    private var place: String { path.isEmpty ? "at its top" : "at '\(path)'" }

    private func child(_ key: String) -> String {
        let name = NameText.visible(String(key.prefix(80)))
        return path.isEmpty ? name : "\(path).\(name)"
    }
}
