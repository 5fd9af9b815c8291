import Foundation
import SystemPackage
import Testing

@testable import Scenarios

/// The suites that come with Headwind, by name.
struct BundledSuiteTests {
    private let suite = BundledSuite(root: Repository.root.appending("scenarios"))

    @Test func theDefaultSuiteExcludesTheOthers() throws {
        #expect(suite.files.contains { $0.lastComponent == "3g.yaml" })
        let loaded = try ScenarioLoader(profiles: Repository.profiles).load(suite.files)
        #expect(loaded.count == suite.files.count && loaded.allSatisfy { !$0.name.contains("/") })
    }

    @Test func othersAreFoundByName() throws {
        #expect(suite.names == ["background-assets", "error-paths", "quick"])
        let folder = try #require(suite.folder("error-paths"))
        #expect(try ScenarioLoader(profiles: Repository.profiles).load(folder).count > 60)
        let quick = try #require(suite.folder("quick"))
        #expect(try ScenarioLoader(profiles: Repository.profiles).load(quick).flatMap(\.cells).count == 6)
        #expect(suite.folder("3g.yaml") == nil && suite.folder("..") == nil && suite.folder("") == nil)
        #expect(suite.hint(for: "error-path") == "did you mean 'error-paths'?")
    }
}
