import Testing

@testable import Netlink

/// Replies of the kernel are read within their bounds, whatever lengths they state.
@Suite struct ReceivedTests {
    @Test func attributesAreRead() {
        var written = NetlinkAttributes()
        written.add(1, UInt8(7))
        written.add(2, "text")
        written.nest(3) { inner in
            inner.add(4, UInt64(1) << 40)
            inner.add(4, UInt64(2))
        }
        let read = ReceivedAttributes(ReceivedBytes(written.bytes))
        #expect(read.all.map(\.type) == [1, 2, 3])
        #expect(read[1]?.integer(as: UInt8.self) == 7 && read[1]?.integer(as: UInt16.self) == nil)
        #expect(read[2]?.text == "text" && read[9] == nil)
        // If a type is repeated, the last one counts, as in the kernel.
        #expect(read.nested(3)[4]?.integer(as: UInt64.self) == 2 && read.nested(9).all.isEmpty)
    }

    @Test(
        arguments: [
            [], [8], [8, 0, 1], [8, 0, 1, 0, 1, 2, 3], [3, 0, 1, 0], [0, 0, 1, 0], [0xff, 0xff, 1, 0, 1, 2, 3, 4],
        ] as [[UInt8]])
    func impossibleAttributesAreLeftOut(bytes: [UInt8]) {
        #expect(ReceivedAttributes(ReceivedBytes(bytes)).all.isEmpty)
        // The same after a valid attribute.
        let good: [UInt8] = [5, 0, 1, 0, 9, 0, 0, 0]
        #expect(ReceivedAttributes(ReceivedBytes(good + bytes)).all.map(\.type) == [1])
    }

    /// Every length of every attribute, with every end cut off.
    @Test func noLengthLeadsOutOfBounds() {
        var written = NetlinkAttributes()
        written.add(1, [1, 2, 3, 4, 5])
        written.nest(2) { $0.add(3, UInt32(4)) }
        for size in 0...written.bytes.count {
            for length in 0...UInt8.max {
                for place in [0, 12, 16] where place < size {
                    var bytes = Array(written.bytes.prefix(size))
                    bytes[place] = length
                    let read = ReceivedAttributes(ReceivedBytes(bytes))
                    #expect(read.all.reduce(0) { $0 + $1.value.count } <= size)
                    #expect(read.nested(2).all.count <= 3)
                }
            }
        }
    }

    @Test func textHasNoControlCharacters() {
        #expect(ReceivedBytes(Array("a\u{1b}[31mb\n\0c".utf8)).text == "a[31mb")
        #expect(ReceivedBytes([0xff, 0x61]).text == "\u{fffd}a")
    }

    @Test func numbersAreReadAtTheirOffsets() {
        let bytes = ReceivedBytes([1, 2, 3, 4, 5])
        #expect(bytes.integer(at: 1, as: UInt32.self) == 0x0504_0302)
        #expect(bytes.integer(at: 2, as: UInt32.self) == nil && bytes.integer(at: -1, as: UInt8.self) == nil)
        #expect(ReceivedBytes([0xfe, 0xff, 0xff, 0xff]).integer(as: Int32.self) == -2)
        #expect(bytes[1..<3]?.array == [2, 3] && bytes[4..<6] == nil && bytes.dropFirst(9).count == 0)
    }

    /// An attribute whose length does not fit into its field would be read as another one.
    @Test func tooLongAttributesTrap() async {
        await #expect(processExitsWith: .failure) {
            var attributes = NetlinkAttributes()
            attributes.add(1, [UInt8](repeating: 0, count: 65_532))
        }
    }
}
