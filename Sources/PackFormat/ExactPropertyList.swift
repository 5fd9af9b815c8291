/// A property list that equals another only if all their texts are the same bytes.
///
/// Texts that differ by Unicode normalisation are equal as `String`, and may still be the names of two files.
struct ExactPropertyList: Hashable {
    let value: PropertyList

    static func == (one: ExactPropertyList, other: ExactPropertyList) -> Bool {
        switch (one.value, other.value) {
        case (.string(let one), .string(let other)):
            one.utf8.elementsEqual(other.utf8)
        case (.array(let one), .array(let other)):
            one.elementsEqual(other) { Self(value: $0) == Self(value: $1) }
        case (.dictionary(let one), .dictionary(let other)):
            one.sorted { $0.key < $1.key }.elementsEqual(other.sorted { $0.key < $1.key }) { entry, other in
                entry.key.utf8.elementsEqual(other.key.utf8) && Self(value: entry.value) == Self(value: other.value)
            }
        default:
            one.value == other.value
        }
    }

    /// Values that are equal byte by byte are also equal as texts, so they have one hash.
    func hash(into hasher: inout Hasher) {
        value.hash(into: &hasher)
    }
}
