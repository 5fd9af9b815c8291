/// The keys of a record whose names in files are those of its properties in snake case: `exit_code` of `exitCode`.
///
/// The name of a property that is true or false leaves out `is`: `in_use` of `isInUse`. A key with another name in files
/// gives it as its raw value, without a capital letter.
package protocol SnakeCaseKey: CodingKey, CaseIterable, RawRepresentable<String> {}

extension SnakeCaseKey {
    /// The name in files.
    package var stringValue: String {
        // As bytes, because every key that is read or written comes here.
        func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
        guard rawValue.utf8.contains(where: isCapital) else { return rawValue }
        var name: [UInt8] = []
        name.reserveCapacity(2 * rawValue.utf8.count)
        for byte in rawValue.utf8 {
            if isCapital(byte) { name.append(UInt8(ascii: "_")) }
            name.append(isCapital(byte) ? byte | 0x20 : byte)
        }
        let isTruth = name.starts(with: "is_".utf8)
        return String(decoding: isTruth ? name[3...] : name[...], as: UTF8.self)
    }

    /// The key with a name in files; nil if there is none.
    package init?(stringValue: String) {
        guard let key = Self.allCases.first(where: { $0.stringValue == stringValue }) else { return nil }
        self = key
    }
}
