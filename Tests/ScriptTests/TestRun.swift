import Foundation
import SystemPackage

/// Another run of the tests, as recorded in Swift Testing's event stream.
struct TestRun {
    private(set) var planned: Set<String> = []
    private var ended: Set<String> = []
    private var skipped: [String] = []
    private var issues: [String] = []
    private var isWhole = false

    init(events file: FilePath) {
        let text = (try? String(contentsOf: URL(filePath: file.string), encoding: .utf8)) ?? ""
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
                let isElsewhere = messages.contains { $0.contains("\"not on this machine: ") }
                if isElsewhere { ended.insert(test) } else { skipped += messages }
            case ("event", "issueRecorded"): issues.append("\(test): \(messages.joined(separator: "; "))")
            case ("event", "runEnded"): isWhole = true
            default: break
            }
        }
    }

    /// Failures, skipped or unfinished tests, or an incomplete run; empty only if every test ran and passed.
    var problems: [String] {
        issues + skipped.map { "skipped: \($0)" } + planned.subtracting(ended).sorted().map { "did not end: \($0)" }
            + (planned.isEmpty ? ["there were no tests"] : []) + (isWhole ? [] : ["the run did not come to its end"])
    }
}
