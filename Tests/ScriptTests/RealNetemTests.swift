import Foundation
import SystemPackage
import Testing

/// The tests that need real netem, under a kernel that has it: `Scripts/netem-test` as it is called without a command.
@Suite(.timeLimit(.minutes(10))) struct RealNetemTests {
    /// What a run of tests says of itself, as Swift Testing's event stream has it.
    private struct Run {
        var planned: Set<String> = []
        var ended: Set<String> = []
        var skipped: [String] = []
        var issues: [String] = []
        var isWhole = false

        init(events text: String) {
            for line in text.split(separator: "\n") {
                guard let record = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                    let payload = record["payload"] as? [String: Any]
                else { continue }
                let messages = (payload["messages"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }
                let test = payload["testID"] as? String ?? ""
                switch (record["kind"] as? String, payload["kind"] as? String) {
                case ("test", "function"): planned.insert(payload["id"] as? String ?? "")
                case ("event", "testEnded"): ended.insert(test)
                case ("event", "testSkipped"), ("event", "testCancelled"), ("event", "testCaseCancelled"):
                    skipped += messages
                case ("event", "issueRecorded"): issues.append("\(test): \(messages.joined(separator: "; "))")
                case ("event", "runEnded"): isWhole = true
                default: break
                }
            }
        }
    }

    @Test func allOfThemPassAndNoneIsSkipped() async throws {
        // Not under that kernel itself.
        guard UserModeKernel.isToBeHad, ProcessInfo.processInfo.environment["HEADWIND_NETEM"] == nil else { return }
        try await UserModeKernel.with { kernel in
            let told = try await kernel.run(
                ["--limit", "480", "--results", kernel.results.string], deadline: .seconds(540))
            let file = URL(filePath: kernel.results.appending("events").string)
            let run = Run(events: (try? String(contentsOf: file, encoding: .utf8)) ?? "")
            for issue in run.issues { Issue.record("under the other kernel: \(issue)") }
            for skipped in run.skipped { Issue.record("skipped under the other kernel: \(skipped)") }
            #expect(told.status == 0, "\(told.output.suffix(4000))\(told.errors.suffix(4000))")
            #expect(run.isWhole && run.planned.count > 0)
            #expect(run.planned.subtracting(run.ended).isEmpty)
            #expect(told.survivors == 0 && told.files.isEmpty, "\(told.survivors) \(told.files)")
        }
    }
}
