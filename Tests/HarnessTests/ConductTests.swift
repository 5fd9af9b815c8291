import Results
import Testing

@testable import Harness

/// The record of a client's conduct, for real clients over real links.
@Suite("Conduct of a client", .sideBySide, .serialized, .timeLimit(.minutes(2)))
struct ConductTests {
    @Test func ofACommandThatResumesOneByteTooEarly() async throws {
        let bench = try Bench(packs: ["level.bin": 400_000])
        let script = "curl -sS -o {output} {url}; curl -sSf -r 159999- {url} >> {output}"
        let conduct = try await Self.conduct(
            bench,
            """
            workload: {command: '\(script)', pack: level.bin}
            faults: [{pack: level.bin, try: 1, cut: {at: 40 %}}]
            """)
        let fetches = try #require(conduct.fetches)
        #expect(fetches.map(\.number) == [1, 2] && fetches.map(\.askedFrom) == [0, 159_999])
        #expect(fetches.map(\.end) == [.host, .complete] && fetches.map(\.isWhole) == [false, true])
        #expect(fetches.map(\.status) == [200, 206] && fetches.map(\.bytes) == [160_000, 240_001])
        #expect(fetches[0].faults == ["cut@160000"] && fetches[0].hasFailed && !fetches[1].hasFailed)
        #expect(fetches[0].endedSeconds <= fetches[1].beganSeconds)
        #expect(fetches[1].endedSeconds <= conduct.endedSeconds)
        #expect(conduct.packs == [.init("level.bin", bytes: 400_000, requests: 2)])
        let file = try #require(conduct.files.first)
        #expect(file.bytes == 400_001 && file.wrongByte == 160_000 && file.problem != nil)
        #expect(conduct.requests == nil && conduct.notifications == nil && conduct.afterCancel == nil)
    }

    @Test func ofTheBuiltInClient() async throws {
        let bench = try Bench(packs: ["a.bin": 600_000, "b.bin": 300_000])
        let conduct = try await Self.conduct(
            bench,
            """
            workload:
              - request: {id: a, tags: [a.bin], background: true}
              - cancel: a after 30 %
              - wait: a
              - request: {id: b, tags: [b.bin]}
              - end: b
            faults:
              - {pack: b.bin, try: 1, status: 503, retry-after: 1 s}
              - {after: 40 % of b.bin, link: silent, for: 300 ms}
            expect: {a: {error: 3072}, b: available}
            """)
        let fetches = try #require(conduct.fetches).filter { $0.pack == "b.bin" }
        #expect(fetches.map(\.retryAfterSeconds) == [1, nil] && fetches.map(\.status) == [503, 200])
        #expect(conduct.fetches?.first?.end == .client && conduct.fetches?.first?.isWhole == false)
        #expect(fetches[1].beganSeconds - fetches[0].endedSeconds >= 1)
        let requests = try #require(conduct.requests)
        #expect(requests.map(\.id) == ["a", "b"] && requests.map(\.isAvailable) == [false, true])
        #expect(requests.map(\.isToCancel) == [true, false] && requests.map(\.isEnded) == [false, true])
        #expect(conduct.unended.isEmpty && conduct.afterCancel == [] && conduct.notifications == [])
        let progress = try #require(requests[1].progress)
        #expect(progress.most == 1 && progress.fall == nil && progress.reports > 1)
        let outage = try #require(conduct.outages.first)
        #expect(outage.kind == "silent" && conduct.outages.count == 1)
        #expect((0.25...1).contains((outage.untilSeconds ?? 0) - outage.fromSeconds))
    }

    @Test func ofACommandThatAcceptsWhatACutLeft() async throws {
        let bench = try Bench(packs: ["level.bin": 400_000])
        let result = try await bench.run(
            """
            workload: {command: 'curl -sS -o {output} {url}; true', pack: level.bin, leaves-output: true}
            schedule: [L2 conn=/level.bin down off=200000 cut]
            """)
        let conduct = try #require(result.cells.first?.attempts.last?.conduct, "\(result.text)")
        #expect(conduct.outages.map(\.kind) == ["cut"])
        #expect(conduct.fetches?.map(\.isWhole) == [false] && conduct.files.first?.bytes ?? 400_000 < 400_000)
        #expect(result.cells.first?.diagnoses?.first?.bug == .ignoresShortBody, "\(result.text)")
    }

    @Test func ofRequestsWhileOthersAreInUse() async throws {
        let bench = try Bench(packs: ["a.bin": 100_000, "b.bin": 100_000])
        let conduct = try await Self.conduct(
            bench,
            """
            device: {limits: {base: ios-2015, in-use: 150 kB}}
            workload:
              - request: {id: a, tags: [a.bin]}
              - request: {id: more, tags: [b.bin]}
              - end: a
              - request: {id: again, tags: [b.bin]}
            expect: {a: available, more: {error: 4993}, again: available}
            """)
        let requests = try #require(conduct.requests)
        #expect(requests.map(\.id) == ["a", "more", "again"])
        #expect(requests.map(\.isWithinLimit) == [nil, false, true])
    }

    @Test func ofAForeignHostNothingIsKnown() async throws {
        let bench = try Bench()
        let conduct = try await Self.conduct(
            bench, "host: http://127.0.0.1:9/\nworkload: {command: [curl, -sS, '{manifest}']}\nexpect: {exit: 7}")
        #expect(conduct.fetches == nil && conduct.packs == nil && conduct.stored == nil)
    }

    @Test func ofManyRequestsSomeAreKept() async throws {
        let bench = try Bench(packs: ["level.bin": 1_000])
        let script = "for i in $(seq 520); do set -- \"$@\" {url}; done; curl -sS -o /dev/null \"$@\"; true"
        let conduct = try await Self.conduct(
            bench,
            """
            workload: {command: "\(script.replacing("\"", with: "\\\""))", pack: level.bin}
            faults: [{pack: level.bin, status: 503}]
            link: {profile: lte, downlink: {rate: 100 Mbit/s, delay: 0 ms}, uplink: {rate: 100 Mbit/s, delay: 0 ms}}
            """)
        #expect(conduct.fetches?.count == ConductRecord.mostFetches && conduct.omittedFetches == 20)
        #expect(conduct.packs?.first?.requests == 520 && conduct.fetches?.last?.number == 520)
    }

    private static func conduct(_ bench: Bench, _ text: String) async throws -> ConductRecord {
        let result = try await bench.run(text)
        return try #require(result.cells.first?.attempts.last?.conduct, "\(result.text)")
    }
}
