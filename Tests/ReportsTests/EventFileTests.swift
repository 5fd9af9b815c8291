import Documents
import FoundationEssentials
import Results
import SystemPackage
import Testing

@testable import Reports

@Suite("Events that are read as a stream", .sideBySide, .timeLimit(.minutes(8)))
struct EventFileTests {
    private func parse(_ line: String) -> TimelineEvent? {
        Array(line.utf8).withUnsafeBufferPointer { EventLineParser.parse($0) }
    }

    @Test("a line is read back as written, and as Foundation reads it")
    func sameAsFoundation() throws {
        let fields = try AnyJSON.tree(
            #"{"x":0.1,"y":-1e-7,"z":-9223372036854775807,"n":null,"t":true,"f":false,"l":[[],{"a":[1,"b"]}],"o":{"p":{}}}"#
                .utf8)
        let events =
            SampleEvents.attempt(1, of: SampleRun.hostile) + [
                TimelineEvent(
                    nanoseconds: .max, cell: "a\"source\",b\\", attempt: 7, source: .device, name: "\u{1}é🎈",
                    fields: fields.members)
            ]
        for event in events {
            let line = try #require(parse(event.line))
            #expect(line == event)
            let read = try AnyJSON.tree(event.line.utf8)
            #expect(JSONTree.object(line.fields).normal == read["fields"]?.normal ?? .object([]), "\(event.line)")
        }
    }

    @Test(
        "a line that is no event of this version is ignored",
        arguments: [
            "", "{", "{}", "[]", "null", #"{"v":1,"t":1,"source":"link","event":"x"}"#,
            #"{"v":2,"t":1,"source":"link"}"#, #"{"v":2,"t":1,"source":"link","event":"x"#,
            #"{"v":2,"t":1,"source":"link","event":"\u12"}"#, #"{"v":2,"t":1,"source":"nobody","event":"x"}"#,
            #"{"v":2,"t":1,"source":"link","event":"x","fields":[1]}"#, #"{"v":2,"t":-,"source":"link","event":"x"}"#,
            #"{"v":2,"t":1 "source":"link","event":"x"}"#,
            #"{"v":2,"t":1,"source":"link","event":"x","fields":{"a":\#(String(repeating: "[", count: 100_000))"#,
            #"{"v":2,"t":1,"source":"link","event":"x","fields":{"a":[1}}"#,
        ])
    func noEvent(_ line: String) {
        #expect(parse(line) == nil)
    }

    @Test("a line with one wrong byte is read as by Foundation, or ignored; a part of a line is ignored")
    func damaged() {
        var counts = (events: 0, refused: 0)
        for line in SampleEvents.attempt(1, of: SampleRun.hostile).map({ Array($0.line.utf8) }) {
            let end = line.lastIndex(of: UInt8(ascii: "}")) ?? line.endIndex
            for index in line[..<end].indices {
                #expect(line[..<index].withUnsafeBufferPointer { EventLineParser.parse($0) } == nil, "\(index)")
                for byte in "\0\"\\{}:,9-".utf8 {
                    var line = line
                    line[index] = byte
                    let parsed = line.withUnsafeBufferPointer { EventLineParser.parse($0) }
                    if parsed == nil { counts.refused += 1 } else { counts.events += 1 }
                    guard let parsed, let read = try? AnyJSON.tree(line) else { continue }
                    let isSame =
                        read["event"] == .text(parsed.name)
                        && (read["t"] == .integer(Int128(parsed.nanoseconds)) || parsed.nanoseconds == 0)
                        && JSONTree.object(parsed.fields).normal == read["fields"]?.normal ?? .object([])
                    #expect(isSame, "\(String(decoding: line, as: UTF8.self))")
                }
            }
        }
        #expect(counts.events > 100 && counts.refused > 100, "\(counts)")
    }

    @Test("the attempts' parts of the file are found with any size of blocks", arguments: [1, 2, 7, 64, 1000, 1 << 20])
    func blocks(size: Int) throws {
        let run = SampleRun.run([
            try SampleRun.cell("3g", seconds: [1, 2], limit: "max <= 3 s", attempts: 2),
            try SampleRun.cell("lte", seconds: [1], limit: "max <= 3 s", attempts: 1),
        ])
        let mixed = #"{"event":"odd","cell":"odd one","attempt":1,"v":2,"t":3,"source":"link"}"# + "\n"
        let text = mixed + SampleEvents.lines(of: run) + mixed + "not an event\n" + #"{"v":2,"t":1,"cell":"cut","atte"#
        let bytes = Array(text.utf8)
        var index = EventIndex()
        for start in stride(from: 0, to: bytes.count, by: size) {
            Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBufferPointer { index.add($0) }
        }
        #expect(index.places.count == run.cells.map(\.attempts.count).reduce(0, +) + 1)
        for cell in run.cells {
            for attempt in cell.attempts {
                let place = try #require(index.places[.init(cell: cell.name, attempt: attempt.number)])
                let lines = SampleEvents.attempt(attempt.number, of: cell.name).map(\.line).joined()
                let found = place.extents.map { bytes[Int($0.from)..<Int($0.from + $0.bytes)] }.joined()
                #expect(String(decoding: Array(found), as: UTF8.self) == lines)
                #expect(place.extents.count == 1)
            }
        }
        #expect(index.places[.init(cell: "odd one", attempt: 1)]?.extents.count == 2)
        #expect(index.places[.init(cell: "cut", attempt: 1)] == nil)
    }

    @Test("lines of several attempts may be mixed, and the number of parts is bounded")
    func interleaved() throws {
        let lines = (0..<5000).map { index in
            TimelineEvent(
                nanoseconds: Int64(index), cell: "c", attempt: 1 + index % 2, source: .link, name: "opened"
            ).line
        }
        try SampleEvents.withFile(lines.joined()) { path in
            let file = try EventFile(path)
            var count = 0
            let isWhole = file.read(.init(cell: "c", attempt: 1)) { _ in count += 1 }
            #expect(count == EventFile.mostExtents && !isWhole)
            #expect(file.read(.init(cell: "d", attempt: 1)) { _ in count += 1 })
        }
    }

    @Test("a long series keeps its ends and its extremes")
    func thinned() {
        var series = PointSeries()
        for index in 0..<10_000 {
            series.add(Double(index) / 100, index == 4321 ? 99 : index == 8765 ? -99 : Double(index % 7))
        }
        let kept = series.thinned
        #expect(kept.count <= 4 * PointSeries.buckets + 4)
        #expect(kept.first == series.points.first && kept.last == series.points.last)
        #expect(kept.contains { $0.value == 99 } && kept.contains { $0.value == -99 })
        #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.seconds < $1.seconds })
        var short = PointSeries()
        for index in 0..<PointSeries.mostPoints { short.add(Double(index), 1) }
        #expect(short.thinned == short.points && !short.isThinned)
    }

    @Test("deliveries whose times go back cause no error")
    func disorder() throws {
        var timeline = AttemptTimeline(origin: 1_000_000_000)
        for event in SampleEvents.attempt(1, of: "c").reversed() { timeline.add(try #require(parse(event.line))) }
        _ = timeline.gaps
        #expect(timeline.rates()?.values.allSatisfy(\.isFinite) ?? true)
        let late = #"{"v":2,"t":9000000000,"cell":"c","attempt":1,"source":"link","event":"delivered","fields":"#
        var two = AttemptTimeline(origin: 0)
        let fields = #"{"connection":1,"direction":"downlink","total":"#
        two.add(try #require(parse(late + fields + "10}}")))
        two.add(try #require(parse(late.replacing("9000000000", with: "1000000000") + fields + "20}}")))
        two.add(try #require(parse(late.replacing("9000000000", with: "19000000000") + fields + "30}}")))
        let rates = try #require(two.rates())
        #expect(rates.values.reduce(0, +) > 0)
    }

    @Test("an attempt has rates and silences")
    func timeline() throws {
        var timeline = AttemptTimeline(origin: 1_000_000_000)
        for event in SampleEvents.attempt(1, of: "c") { timeline.add(try #require(parse(event.line))) }
        #expect(timeline.start == -0.01 && timeline.end == 10)
        #expect(timeline.conditions.map(\.offline) == [nil, "silent", nil])
        #expect(timeline.conditions.allSatisfy { $0.downlink == 800_000 && $0.uplink == 400_000 })
        #expect(timeline.progress.map(\.id) == ["r1"] && timeline.progress[0].total == 100_000)
        #expect(timeline.gaps.count == 1)
        let gap = try #require(timeline.gaps.first)
        #expect(abs(gap.from - 3.825) < 0.01 && abs(gap.until - 6.2) < 0.01)
        let rates = try #require(timeline.rates())
        let bits = rates.values.reduce(0, +) * rates.step
        #expect(abs(bits - 97_500 * 8) < 1)
        #expect(timeline.counts == ["delivered": 40, "progress": 40])
    }
}
