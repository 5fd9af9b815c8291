import LinkModel
import Netlink
import Testing

@testable import KernelLink

/// The text that the kernel keeps about a shape.
@Suite struct LinkMarkTests {
    private func mark(_ change: (inout LinkMark) -> Void = { _ in }) -> LinkMark {
        var mark = LinkMark(
            interface: 3, keeper: .init(process: 1234, started: 5678), since: 1_800_000_000, until: 1_800_000_600,
            form: 0xabc, profile: "3g")
        change(&mark)
        return mark
    }

    @Test func isReadAsItWasWritten() {
        let options = (0..<80).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let marks = [
            mark(), mark { $0.until = nil }, mark { $0.exceptions = ["22", "10.0.0.0/8", "fd00::/8"] },
            mark { $0.replaced = ReplacedQueue(kind: "fq_codel", handle: TrafficHandle(0x8001), options: options) },
            mark { $0.replaced = ReplacedQueue(kind: "htb", handle: TrafficHandle(1), options: nil) },
            mark { $0.replaced = ReplacedQueue(kind: "pfifo_fast", handle: TrafficHandle(1), options: []) },
        ]
        for mark in marks { #expect(LinkMark(parsing: mark.text) == mark, "\(mark.text)") }
        #expect(
            mark().text
                == "headwind 1 on=3 by=1234.5678 since=1800000000 until=+600 form=abc profile=3g")
        for count in 0...5 {
            let queue = ReplacedQueue(kind: "x", handle: TrafficHandle(1), options: Array(options.prefix(count)))
            #expect(ReplacedQueue(parsing: queue.text) == queue)
        }
    }

    /// The kernel takes 255 bytes: the options of the replaced queue are left out first, and then exceptions.
    @Test func longMarksAreShortened() throws {
        let long = mark {
            $0.profile = String(repeating: "p", count: 300)
            $0.replaced = ReplacedQueue(
                kind: "cake", handle: TrafficHandle(1), options: [UInt8](repeating: 1, count: 200))
            $0.exceptions = (0..<60).map { "10.\($0).0.0/16" }
        }
        #expect(long.text.utf8.count <= 255 && long.text.utf8.count > 230)
        let read = try #require(LinkMark(parsing: long.text))
        #expect(read.profile?.count == 40 && read.replaced?.isRestorable == false)
        #expect(read.exceptions.first == "10.0.0.0/16" && read.exceptions.last == "…")
    }

    /// `kept` says only what fits into the mark.
    @Test func keptHasOnlyWhatFits() {
        let options = (0..<160).map { UInt8(truncatingIfNeeded: $0 &* 37 | 1) }
        let queue = ReplacedQueue(kind: "cake", handle: TrafficHandle(1), options: options)
        let short = mark { $0.replaced = queue }.kept
        #expect(short.replaced?.isRestorable == false && short.replaced?.name == "cake 1:")
        let small = ReplacedQueue(kind: "tbf", handle: TrafficHandle(1), options: [1, 2])
        #expect(mark { $0.replaced = small }.kept.replaced == small)
        #expect(LinkMark(parsing: short.text) == short)
    }

    /// Twenty numbers, as fq has, fit together with everything else that a mark can contain.
    @Test func attributesTakeLittleRoom() {
        let values: [UInt32] = [
            10_000, 100, 3028, 15_140, 1, 0, .max, 40_000, 1023, 0, 0, .max, 10_000_000, 1, 0, 10_000_000, 0,
        ]
        var attributes = NetlinkAttributes()
        for (type, value) in values.enumerated() { attributes.add(type + 1, value) }
        attributes.add(18, [3, 0, 0, 0, 1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1])
        attributes.add(19, [UInt8](repeating: 0, count: 12))
        let queue = ReplacedQueue(kind: "fq", handle: TrafficHandle(0x77), options: attributes.bytes)
        let whole = mark {
            $0.keeper = .init(process: 1_234_567, started: 12_345_678, place: 0xabcdef)
            $0.form = 0xabcdef
            $0.state = LinkMark.State(directions: [.uplink, .downlink], digest: 0x12345)
            $0.replaced = queue
        }
        #expect(whole.kept == whole && LinkMark(parsing: whole.text) == whole && whole.text.utf8.count <= 250)
        for bytes in [[1], [4, 0, 1, 0], [9, 0, 1, 0, 1, 2, 3, 4, 5], [UInt8](repeating: 7, count: 40)] {
            let odd = ReplacedQueue(kind: "x", handle: TrafficHandle(1), options: bytes)
            #expect(ReplacedQueue(parsing: odd.text) == odd)
        }
        for text in [".", ".A", ".AQ", ".Af_", ".AQUB"] {
            #expect(ReplacedQueue(parsing: "x,1:,\(text)")?.options.map { $0.count.isMultiple(of: 4) } ?? true)
        }
    }

    @Test(arguments: [
        "", "headwind", "headwind 2 on=3 by=1.1 since=1 form=1 profile=x", "headwind 1",
        "headwind 1 on=-3 by=1.1 since=1 form=1 profile=x", "headwind 1 on=3 by=1 since=1 form=1 profile=x",
        "headwind 1 on=3 by=99999999999.1 since=1 form=1 profile=x", "headwind 1 on=3 by=1.1 since=1 form=z profile=x",
        "headwind 1 on=3 by=1.1 since=-9223372036854775808 form=1 profile=x",
        "headwind 1 on=3 by=1.1 since=1 until=-9223372036854775808 form=1 profile=x",
        "headwind 1 on=3 by=1.1 since=1 until=+9223372036854775807 form=1 profile=x",
    ])
    func anotherTextIsNoMark(text: String) {
        #expect(LinkMark(parsing: text) == nil)
    }
}
