import Events
import Results
import Scenarios
import Testing

@testable import Evidence
@testable import ProcessGuard

/// Streams of events, whole, cut and hostile.
@Suite struct ClientLogTests {
    static let start = #"{"v":1,"t":10,"event":"start"}"#
    static let request = #"{"v":1,"t":20,"event":"request","id":"r1","tags":["red"],"priority":0.5}"#
    static let half = #"{"v":1,"t":30,"event":"progress","id":"r1","fraction":0.5,"completed":5,"total":10}"#
    static let whole = #"{"v":1,"t":40,"event":"progress","id":"r1","fraction":1,"completed":10,"total":10}"#
    static let available = #"{"v":1,"t":50,"event":"available","id":"r1"}"#
    static let error =
        #"{"v":1,"t":50,"event":"error","id":"r1","domain":"NSURLErrorDomain","code":-1009,"class":"network"}"#
    static let exit = #"{"v":1,"t":60,"event":"exit","status":0}"#

    /// A process that ended by itself, with status 0.
    static let ended = GuardedExit(
        status: .exited(0), timedOut: false, userTime: .zero, systemTime: .zero, maxResidentBytes: 0,
        survivorsEnded: 0, leftCount: 0, left: [])

    static func log(_ lines: [String]) -> ClientLog {
        var log = ClientLog()
        for line in lines { _ = log.append(line: Array(line.utf8)) }
        return log
    }

    @Test func aWholeStream() throws {
        let log = Self.log([Self.start, Self.request, Self.half, Self.whole, Self.available, Self.exit])
        #expect(log.hasStarted)
        #expect(log.exitStatus == 0)
        #expect(log.strayLines == 0)
        let request = try #require(log.requests.first)
        #expect(request.tags == ["red"])
        #expect(request.isAvailable)
        #expect((request.beganAt, request.endedAt) == (20, 50))
        #expect(request.progress.map(\.fraction) == [0.5, 1])
        #expect(request.total == 10)
        #expect(request.callbacks == 1)
    }

    /// A client that is killed and started again repeats its workload; a request counts from its first beginning.
    @Test func aSecondRun() throws {
        var log = Self.log([Self.start, Self.request, Self.half])
        log.begin()
        #expect(log.requests.isEmpty && !log.hasStarted && log.events.count == 3)
        for line in [Self.start, Self.request, Self.whole, Self.available, Self.exit] {
            _ = log.append(line: Array(line.replacing("\"t\":", with: "\"t\":1").utf8))
        }
        let request = try #require(log.requests.first)
        #expect(log.requests.count == 1 && log.exitStatus == 0 && log.gap == nil)
        #expect((request.beganAt, request.endedAt, request.callbacks) == (20, 150, 1))
        #expect(request.progress.map(\.fraction) == [1])
    }

    /// A pause begins once, even if it is reported twice; a pause without an end has no limit.
    @Test(
        arguments: [
            ([], []), ([("paused", 30), ("resumed", 40)], [30...40]), ([("resumed", 30)], []),
            ([("paused", 30), ("paused", 35)], [30...(.max)]), ([("paused", 30), ("resumed", 20)], [30...30]),
            ([("paused", 30), ("resumed", 40), ("paused", 45), ("resumed", 50)], [30...40, 45...50]),
        ] as [([(String, Int)], [ClosedRange<Int64>])])
    func pausesAreKept(told: [(String, Int)], pauses: [ClosedRange<Int64>]) {
        let lines = told.map { #"{"v":1,"t":\#($0.1),"event":"\#($0.0)","id":"r1"}"# }
        #expect(Self.log([Self.start, Self.request] + lines).requests.first?.pauses == pauses)
    }

    @Test(
        arguments: [
            ([1, 2, 3], nil), ([], nil), ([2, 3], 2), ([1, 3, 4], 3), ([1, 2, 2], 2), ([1, 3, 2, 3], 3),
            ([1, .max, .max], .max),
        ] as [([Int], Int?)])
    func aGapInTheNumbersShows(numbers: [Int], found: Int?) {
        let lines = numbers.map { #"{"v":1,"t":10,"event":"usage","n":\#($0)}"# }
        #expect(Self.log([Self.start] + lines + [Self.exit]).gap?.found == found)
    }

    /// An older client reports no peak.
    ///
    /// It may store less after unpacking than at its peak.
    @Test(
        arguments: [
            ([#""stored":7"#], 7), ([#""stored":7,"peak":20"#, #""stored":9,"peak":20"#], 20),
            ([#""stored":7,"peak":7"#, #""stored":30"#], 30), ([], nil),
        ] as [([String], Int64?)])
    func thePeakOfStorage(usages: [String], most: Int64?) {
        let lines = usages.map { #"{"v":1,"t":10,"event":"usage",\#($0)}"# }
        #expect(Self.log([Self.start] + lines).mostStored == most)
    }

    @Test(
        arguments: [
            ([], nil), ([(5, 5)], 0), ([(5, 9), (7, 8)], 5), ([(9, 5)], 0), ([(0, 1 << 53)], 1 << 53),
        ] as [([(Int64, Int64)], Int64?)])
    func bytesPurgedWithoutNeed(rounds: [(needed: Int64, freed: Int64)], most: Int64?) {
        let lines = rounds.map { #"{"v":1,"t":10,"event":"room","needed":\#($0.needed),"freed":\#($0.freed)}"# }
        #expect(Self.log([Self.start] + lines).overpurged == most)
    }

    @Test func anError() throws {
        let request = try #require(Self.log([Self.request, Self.error]).requests.first)
        #expect(!request.isAvailable)
        #expect(request.error?.domain == "NSURLErrorDomain")
        #expect(request.error?.code == -1009)
        #expect(request.error?.errorClass == "network")
    }

    @Test func everyCallbackIsCounted() throws {
        let request = try #require(Self.log([Self.request, Self.available, Self.error]).requests.first)
        #expect(request.callbacks == 2)
        #expect(request.isAvailable, "the first one decides")
    }

    @Test(arguments: [
        "{", "garbage", #"{"v":2,"t":1,"event":"start"}"#, #"{"t":1,"event":"start"}"#, #"{"v":1,"event":"start"}"#,
        #"{"v":1,"t":"1","event":"start"}"#, #"{"v":1,"t":1}"#, #"[{"v":1}]"#,
        #"{"v":1,"t":99999999999999999999,"event":"start"}"#,
    ])
    func noEvent(line: String) {
        let log = Self.log([line])
        #expect(log.strayLines == 1)
        #expect(!log.hasStarted)
    }

    /// A member of another type is taken for a foreign client's own.
    @Test(arguments: [
        #""id":5"#, #""url":{"host":"h"}"#, #""prefetch":"yes""#, #""priority":"soon""#, #""tags":"red""#,
        #""code":1.5"#,
        #""underlying":{"code":7}"#, #""bytes":"many""#, #""fraction":null"#, #""ours":[1]"#,
    ])
    func membersOfOtherTypesAreIgnored(member: String) {
        let log = Self.log([#"{"v":1,"t":10,"event":"fetch","pack":"p",\#(member)}"#])
        #expect(log.events == [ClientEvent(.fetch, at: 10) { $0.pack = "p" }] && log.strayLines == 0)
    }

    @Test(
        arguments: [(#""urgent""#, .urgent), ("0.25", .normal(0.25)), ("1", .normal(1))] as [(String, LoadingPriority)])
    func aPriorityIsANumberOrAWord(told: String, priority: LoadingPriority) {
        let log = Self.log([#"{"v":1,"t":10,"event":"priority","id":"r","priority":\#(told)}"#])
        #expect(log.events.first?.priority == priority)
    }

    @Test func eventsWithoutARequestAreKeptAndHaveNoEffect() {
        let log = Self.log([Self.half, Self.available, "", #"{"v":1,"t":1,"event":"of the future","x":{}}"#])
        #expect(log.requests.isEmpty)
        #expect(log.events.count == 3)
        #expect(log.strayLines == 0)
    }

    /// A stream that ends anywhere before its last line is never complete.
    @Test func everyCutIsFound() throws {
        let lines = [Self.start, Self.request, Self.half, Self.whole, Self.available, Self.exit]
        for count in 0...lines.count {
            var trace = AttemptTrace()
            trace.client = Self.log(Array(lines.prefix(count)))
            trace.exit = Self.ended
            let found = Set(try found(trace))
            let expected: Set<Attribution> = count == 0 ? [.eventsMissing] : count < lines.count ? [.eventsCut] : []
            #expect(found == expected, "\(count) lines")
        }
    }

    @Test(arguments: [
        (0 as Int64, 100 as Int64, true), (10, 60, true), (11, 60, false), (10, 59, false), (1000, 2000, false),
    ])
    func eventsOfAnotherTime(from: Int64, to: Int64, isFine: Bool) throws {
        var trace = AttemptTrace()
        trace.client = Self.log([Self.start, Self.request, Self.available, Self.exit])
        trace.exit = Self.ended
        (trace.clientStart, trace.clientEnd) = (max(1, from), to)
        let found = try found(trace)
        #expect(found == (isFine ? [] : [.clockStepped]))
    }

    private func found(_ trace: AttemptTrace) throws -> [Attribution] {
        try TraceCheck(trace: trace, setup: Scratch.setup()).findings().map(\.attribution)
    }
}
