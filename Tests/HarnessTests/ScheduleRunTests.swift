import Foundation
import LinkModel
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// What went wrong in an attempt is recorded as a schedule, and a schedule is played again.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct ScheduleRunTests {
    private static let lossy =
        "{downlink: {rate: 20 Mbit/s, delay: 5 ms, loss: 4 %}, uplink: {rate: 20 Mbit/s, delay: 5 ms}, seed: 3}"

    /// Runs a scenario, and reads the schedules that its attempts left, in order.
    private func lists(
        _ bench: Bench, _ text: String
    ) async throws -> (attempts: [AttemptRecord], lists: [FaultSchedule]) {
        var run = try bench.prepare(text)
        let output = bench.folder.appending("results-\(UUID().uuidString)")
        run.output = output
        let result = try await run.perform()
        let attempts = result.cells.flatMap(\.attempts)
        let lists = try attempts.map { attempt in
            let facts = try #require(attempt.schedule)
            let text = try String(contentsOfFile: output.appending(facts.file).string, encoding: .utf8)
            let list = try FaultSchedule(parsing: text)
            #expect(facts.hash == list.digest && facts.lines == list.lines.count)
            #expect(facts.firstTransmissionHash == list.firstTransmissionDrops.digest && facts.omitted == 0)
            return list
        }
        let json = try String(contentsOfFile: output.appending("result.json").string, encoding: .utf8)
        #expect(attempts.allSatisfy { json.contains($0.schedule?.hash ?? "?") })
        return (attempts, lists)
    }

    @Test func allThatWentWrongIsInOneSchedule() async throws {
        let bench = try Bench()
        let (attempts, lists) = try await lists(
            bench,
            """
            link: \(Self.lossy)
            faults:
              - {pack: level.bin, try: 1, cut: {at: 50 %, how: rst}}
              - {pack: level.bin, try: 2, redirect: "/level.bin?token=abc"}
              - {after: 50 kB, link: silent, for: 200 ms}
            attempts: {min: 2, max: 2}
            """)
        #expect(attempts.map(\.seed.value) == [3, 4] && lists.map(\.seed) == [3, 4])
        for (list, attempt) in zip(lists, attempts) {
            let lines = list.lines.map(\.text)
            #expect(lines.filter { $0.hasPrefix("L1 GET /level.bin from=0 try=1 cut@") }.count == 1, "\(lines)")
            #expect(lines.filter { $0 == "link outage kind=silent after=down:50000 until=+200ms" }.count == 1)
            #expect(list.firstTransmissionDrops.lines.count > 0)
            #expect(lines.contains { $0.contains(" redirect=") } && !list.text.contains("token=abc"), "\(lines)")
            #expect(attempt.schedule?.playedHash == nil && attempt.schedule?.unmet == nil)
        }
        #expect(lists[0].digest != lists[1].digest && lists[0].profile == lists[1].profile)
    }

    @Test(arguments: ["modelled", "packet"]) func aRecordedScheduleIsMetAgain(fidelity: String) async throws {
        let bench = try Bench()
        let lossy = Self.lossy.replacing("seed: 3", with: "seed: 3, fidelity: \(fidelity)")
        let recorded = try await lists(
            bench, "link: \(lossy)\nfaults: [{pack: level.bin, try: 1, cut: {at: 50 %, how: fin}}]")
        let list = try #require(recorded.lists.first)
        #expect(list.firstTransmissionDrops.lines.count > 0)
        try bench.write("list.txt", Array(list.text.utf8))
        let other = lossy.replacing("loss: 4 %", with: "loss: 30 %").replacing("seed: 3", with: "seed: 99")
        let (attempts, lists) = try await lists(
            bench, "link: \(other)\nschedule: list.txt\nattempts: {min: 2, max: 2}")
        #expect(attempts.map(\.seed.value) == [3, 3])
        for (attempt, again) in zip(attempts, lists) {
            #expect(attempt.schedule?.playedHash == list.digest)
            #expect(attempt.schedule?.firstTransmissionHash == list.firstTransmissionDrops.digest)
            let cuts = [list, again].map { $0.lines.map(\.text).filter { $0.hasPrefix("L1 ") } }
            #expect(cuts[0] == cuts[1] && cuts[0].count == 1)
            #expect(attempt.findings == [], "a list is not a loss that is off")
        }
    }

    /// A fault of the third request that arrives is recorded with its range, and met by that range in any order.
    @Test func parallelRangesMeetTheirOwnFaults() async throws {
        let bench = try Bench(packs: ["level.bin": 100_000])
        let client = try bench.script(
            "client",
            """
            order="0 25000 50000 75000"
            [ -e \(bench.folder)/asked ] && order="75000 50000 25000 0"
            touch \(bench.folder)/asked
            for start in $order; do
              curl -sfN --retry 3 --limit-rate 10k -r $start-$((start + 24999)) -o "$TMPDIR/$start" "$HEADWIND_URL" &
              until [ -s "$TMPDIR/$start" ]; do sleep 0.01; done
            done
            wait
            cd "$TMPDIR" && cat 0 25000 50000 75000 > "$HEADWIND_OUTPUT"
            """)
        let workload = "workload: {command: [\(client), '{url}'], pack: level.bin}"
        let recorded = try await lists(bench, "faults: [{pack: level.bin, try: 3, status: 503}]\n\(workload)")
        let line = "L1 GET /level.bin@50000 from=0 try=1 status=503"
        #expect(recorded.lists[0].lines.map(\.text) == [line])
        let played = try await lists(bench, "schedule: ['\(line)']\n\(workload)")
        #expect(played.lists[0].lines.map(\.text) == [line])
        #expect(played.attempts[0].schedule?.unmet == 0)
        let met = played.attempts[0].conduct?.fetches?.filter { !$0.faults.isEmpty }
        // The range arrives as the second request here, and not as the third.
        #expect(met?.map(\.askedFrom) == [50_000] && met?.map(\.number) == [2] && met?.map(\.numberOfRange) == [1])
    }

    @Test func anEmptyScheduleLosesNothing() async throws {
        let bench = try Bench()
        let link = Self.lossy.replacing("loss: 4 %", with: "loss: 90 %")
        let (attempts, lists) = try await lists(bench, "link: \(link)\nschedule: [schedule version=1]")
        #expect(attempts.count == 1 && lists[0].lines == [])
        #expect((attempts[0].samples[.timeToAvailable].value ?? 99) < 5)
    }

    @Test func aCutAtAByteIsMetByTheClient() async throws {
        let bench = try Bench()
        let (attempts, lists) = try await lists(
            bench,
            """
            schedule:
              - L2 conn=/level.bin down off=50000 cut
              - link cut after=progress+1
            budgets: {retries: min >= 1}
            """)
        #expect(attempts.first?.requests.first?.result == .available)
        #expect(lists[0].lines.map(\.text).contains("L2 conn=/level.bin down off=50000 cut"))
        #expect(lists[0].lines.map(\.text).contains("link cut after=progress+1"))
        #expect(attempts.first?.schedule?.unmet == 0)
    }

    @Test(arguments: [
        (["L2 conn=/level.bin#9 down off=5 cut"], ["the client did not meet the schedule's fault"]),
        (
            ["L1 GET /level.bin from=0 try=9 cut@40%", "L2 conn=/level.bin#9 down off=5 cut"],
            ["the client did not meet any of the schedule's 2 faults"]
        ),
        (["L1 GET /level.bin from=0 try=1 cut@40%", "L2 conn=/level.bin#9 down off=5 cut"], []),
    ])
    func aPassThatMetNothingSaysSo(lines: [String], notes: [String]) async throws {
        let bench = try Bench()
        let run = try bench.prepare("schedule: [\(lines.map { "'\($0)'" }.joined(separator: ", "))]")
        let cell = try #require(try await run.perform().cells.first)
        #expect(cell.verdict == .pass)
        #expect(cell.notes.map { String($0.prefix { $0 != ":" }) } == notes, "\(cell.attempts.map(\.notes))")
    }

    @Test(arguments: [
        (
            "L1 GET /levl.bin from=0 try=1 cut@40%",
            "12: the host serves nothing at '/levl.bin'; did you mean '/level.bin'?"
        ),
        ("L1 GET /level.bin from=0 try=1 cut@140%", "12: "),
        ("L1 GET /level.bin from=0 try=1 pack=a cut@40%", "12: 'pack=a cut@40%' also names a pack, a range or a try"),
        ("link cut after=pack:nothing:4", "11: no downloaded pack has the name or tag 'nothing'"),
    ])
    func aScheduleThatCannotBePlayedIsRefused(line: String, problem: String) async throws {
        let bench = try Bench()
        let run = try bench.prepare("schedule: ['\(line)']")
        let error = await #expect(throws: InvalidFiles.self) { try await run.perform() }
        #expect(error?.description.contains("test.yaml:6:\(problem)") == true, "\(error?.description ?? "")")
    }
}
