import Netlink
import Testing

@testable import KernelLink

/// What is kept of a shape in the kernel.
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
                == "headwind 1 on=3 by=1234.5678 since=1800000000 until=1800000600 form=abc profile=3g")
        for count in 0...5 {
            let queue = ReplacedQueue(kind: "x", handle: TrafficHandle(1), options: Array(options.prefix(count)))
            #expect(ReplacedQueue(parsing: queue.text) == queue)
        }
    }

    /// The kernel takes 255 bytes: first the options of what was replaced are left out, then exceptions.
    @Test func thereIsNotRoomForEverything() throws {
        let long = mark {
            $0.profile = String(repeating: "p", count: 300)
            $0.replaced = ReplacedQueue(
                kind: "cake", handle: TrafficHandle(1), options: [UInt8](repeating: 1, count: 200))
            $0.exceptions = (0..<60).map { "10.\($0).0.0/16" }
        }
        #expect(long.text.utf8.count <= 255 && long.text.utf8.count > 230)
        let read = try #require(LinkMark(parsing: long.text))
        #expect(read.profile.count == 40 && read.replaced?.isRestorable == false)
        #expect(read.exceptions.first == "10.0.0.0/16" && read.exceptions.last == "…")
    }

    @Test(arguments: [
        "", "headwind", "headwind 2 on=3 by=1.1 since=1 form=1 profile=x", "headwind 1",
        "headwind 1 on=-3 by=1.1 since=1 form=1 profile=x", "headwind 1 on=3 by=1 since=1 form=1 profile=x",
        "headwind 1 on=3 by=99999999999.1 since=1 form=1 profile=x", "headwind 1 on=3 by=1.1 since=1 form=z profile=x",
    ])
    func whatIsNoneIsNotRead(text: String) {
        #expect(LinkMark(parsing: text) == nil)
    }
}
