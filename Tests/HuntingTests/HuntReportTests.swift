import Foundation
import Testing

@testable import Hunting

/// The machine-readable report of a hunt.
@Suite struct HuntReportTests {
    @Test("the page about hunts documents each key of the file, and no other")
    func documentsItsKeys() async throws {
        let client = SimulatedClient { candidate, number in
            if number == 20 { return .fails(.hangs) }
            return candidate.has(.gzip) ? .fails(.crashes) : .holds
        }
        let result = try await Hunt.short(client, attempts: 600).perform()
        var report = HuntReport(result, seed: 1, knowsDigest: true, metNeeds: [])
        try #require(report.bugs.count == 1 && report.unconfirmed.count == 1)
        (report.bugs[0].bug, report.bugs[0].scenario, report.bugs[0].page) = (.keepsEncodedBytes, "", "")
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        let page = try String(
            contentsOf: URL(filePath: #filePath).appending(path: "../../../docs/reference/hunts.md").standardized,
            encoding: .utf8)
        let rows = page.components(separatedBy: "## `hunt.json`")[1].split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
        let documented = rows.flatMap { $0.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.1) } }
        #expect(Set(documented) == Set(json.matches(of: /"(\w+)":/).map { String($0.1) }))
    }
}
