import Foundation
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// Background Assets in scenarios, with the real client, host and link.
@Suite("Runs of Background Assets", .sideBySide, .serialized, .timeLimit(.minutes(3)))
struct BackgroundAssetsRunTests {
    /// Runs a scenario against a folder of two packs.
    private func run(_ text: String) async throws -> RunResult {
        let bench = try Bench()
        for (id, policy) in [
            ("first", #"{"essential": {"installationEventTypes": ["firstInstallation"]}}"#),
            ("later", #"{"onDemand": {}}"#),
        ] {
            let selectors = #"[{"file": "\#(id).bin"}]"#
            try bench.write("assets/\(id)/\(id).bin", Bench.content(50_000))
            try bench.write(
                "assets/\(id)/Manifest.json",
                Array(
                    #"{"assetPackID": "\#(id)", "downloadPolicy": \#(policy), "fileSelectors": \#(selectors)}"#.utf8))
        }
        return try await bench.run("catalog: {background-assets: ./assets}\npatience: 5 s\n" + text)
    }

    /// Holds also if the client fetches the download manifest, which has relative addresses.
    @Test(arguments: ["", "manifest: fetched\n"]) func aFolderOfManifestsIsDelivered(manifest: String) async throws {
        let result = try await run(
            manifest
                + """
                workload:
                  - install
                  - launch
                  - request: {id: one, tags: [first]}
                  - request: {id: two, tags: [later]}
                expect: {install: available, one: available, two: available, stored: [first, later]}
                budgets: {redundant_bytes: max <= 0}
                """)
        #expect(result.exitCode == 0, "\(result.text)")
        #expect(result.cells.first?.attempts.first?.requests.map(\.id) == ["install", "one", "two"])
    }

    @Test(arguments: [
        ("faults: [{pack: later, corrupt: 50 %}]", "NSURLErrorDomain", -1016),
        ("faults: [{pack: later, status: 404}]", "NSURLErrorDomain", -1008),
        ("manifest: fetched\nfaults: [{pack: manifest, status: 404}]", "NSURLErrorDomain", -1008),
        ("device: {capacity: 40 kB}", "NSCocoaErrorDomain", 640),
    ])
    func errorsHaveTheirDomainAndCode(further: String, domain: String, code: Int) async throws {
        let result = try await run(
            """
            \(further)
            workload: [{request: {id: one, tags: [later]}}]
            expect: {error: {domain: \(domain), code: \(code)}}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
    }

    @Test func aMissingPackThatMustBeAvailableIsRefused() async throws {
        await #expect(throws: InvalidFiles.self) {
            try await run("workload: [{request: {tags: [latter]}}]\nexpect: available")
        }
    }
}
