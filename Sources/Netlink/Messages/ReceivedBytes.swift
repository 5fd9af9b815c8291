/// Bytes that another program or the kernel has written; reading never goes beyond their end.
package struct ReceivedBytes: Hashable, Sendable {
    private let slice: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) {
        slice = bytes[...]
    }

    private init(_ slice: ArraySlice<UInt8>) {
        self.slice = slice
    }

    package var count: Int { slice.count }
    package var array: [UInt8] { Array(slice) }

    /// A part, by its offsets from the start; nil if it is not all there.
    package subscript(range: Range<Int>) -> ReceivedBytes? {
        guard range.lowerBound >= 0, range.upperBound <= slice.count else { return nil }
        return ReceivedBytes(slice[slice.startIndex + range.lowerBound..<slice.startIndex + range.upperBound])
    }

    /// All bytes from an offset on; empty if that is after the end.
    package func dropFirst(_ count: Int) -> ReceivedBytes { ReceivedBytes(slice.dropFirst(count)) }

    /// A number in this machine's byte order; nil if it is not all there.
    package func integer<Value: FixedWidthInteger>(at offset: Int = 0, as type: Value.Type = Value.self) -> Value? {
        let size = Value.bitWidth / 8
        guard offset >= 0, offset + size <= slice.count else { return nil }
        var value: Value = 0
        for byte in slice[slice.startIndex + offset..<slice.startIndex + offset + size].reversed() {
            value = value << 8 | Value(truncatingIfNeeded: byte)
        }
        return Value(littleEndian: value)
    }

    /// A text up to its NUL, without control characters, so that it is safe to show.
    package var text: String {
        let text = String(decoding: slice.prefix { $0 != 0 }, as: UTF8.self)
        return String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
