import Results
import Testing

@testable import Evidence

/// Purges because of a step of pressure: whether the app was notified before.
@Suite struct PurgeOrderEvidenceTests {
    private static let scenario = """
        workload:
          - request: {id: a, tags: [level.bin]}
          - purge: {free: 1 kB}
        expect: {purged: [level.bin]}
        """
    private static let told = #""event":"notification","name":"NSBundleResourceRequestLowDiskSpaceNotification""#
    private static let pressed = #""event":"purge","bytes":1000"#
    private static let purged = #""event":"purged","pack":"level.bin","bytes":1000"#

    @Test(arguments: [
        ([pressed, told, purged], Verdict.pass),
        ([pressed, purged, told], .fail),
        // The app is notified of something else, before the pressure.
        ([told, pressed, purged], .fail),
        // No app runs that could be notified.
        ([#""event":"quit""#, pressed, purged], .pass),
        ([#""event":"quit""#, #""event":"launch""#, pressed, purged], .fail),
        // A purge for a request: only the request's own failure is reported.
        ([purged], .pass),
        ([pressed, told], .fail),
        ([pressed, told, purged, purged], .fail),
    ])
    func theAppIsNotifiedFirst(lines: [String], verdict: Verdict) throws {
        var attempt = AttemptJudgeTests.Attempt()
        attempt.lines =
            [
                #""event":"start""#, #""event":"request","id":"a","tags":["level.bin"]"#,
                #""event":"available","id":"a""#,
            ]
            + lines + [#""event":"exit","status":0"#]
        let setup = try Scratch.setup(Self.scenario)
        let record = AttemptJudge(attempt.trace, setup).record(from: 0, to: 3 * AttemptJudgeTests.Attempt.second)
        let names = setup.cell.expectations.purgedPacks ?? []
        let check = ConductExpectation.purged(names).judge([record])
        #expect(check.verdict == verdict, "\(check.sentence)")
    }
}
