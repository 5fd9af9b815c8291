import Foundation
import OnDemandResources
import ResourceLoading
import Testing

/// Code as apps write it with Apple's names, compiled against the public API alone.
struct AppSourceTests {
    /// A stand-in for a request, as apps' own tests have.
    private final class ReadyRequest: NSBundleResourceRequest, @unchecked Sendable {
        private let whole = Progress(totalUnitCount: 1)

        override var tags: Set<String> { ["level-1"] }
        override var bundle: Bundle { .main }
        override var progress: Progress { whole }
        override var loadingPriority: Double {
            get { 1 }
            set { whole.totalUnitCount = Int64(newValue) }
        }

        override func beginAccessingResources(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
            completionHandler(nil)
        }

        override func conditionallyBeginAccessingResources(completionHandler: @escaping @Sendable (Bool) -> Void) {
            completionHandler(true)
        }

        override func endAccessingResources() { whole.completedUnitCount = whole.totalUnitCount }
    }

    @Test func aSubclassMayOverrideEverything() async throws {
        let request: NSBundleResourceRequest = ReadyRequest(tags: [])
        request.loadingPriority = 7
        #expect(request.tags == ["level-1"] && request.loadingPriority == 1 && request.progress.totalUnitCount == 7)
        #expect(await request.conditionallyBeginAccessingResources())
        try await request.beginAccessingResources()
        request.endAccessingResources()
        #expect(request.progress.isFinished)
    }

    /// The first lines of the guide's examples of an error and of catch clauses.
    @Test func appsCanTellErrorsApart() async {
        func name(_ error: (any Error)?) -> String {
            guard let error = error as NSError? else { return "none" }
            switch error.code {
            case NSBundleOnDemandResourceOutOfSpaceError: return "space"
            case NSBundleOnDemandResourceExceededMaximumSizeError: return "size"
            case NSBundleOnDemandResourceInvalidTagError: return "tag"
            default: return error.description
            }
        }
        let request = NSBundleResourceRequest(tags: ["x"], bundle: .main)
        do {
            try await request.beginAccessingResources()
            Issue.record("there is no source")
        } catch URLError.notConnectedToInternet {
            Issue.record("the network is not asked")
        } catch CocoaError.bundleOnDemandResourceInvalidTag {
            #expect(name(CocoaError(.bundleOnDemandResourceInvalidTag)) == "tag")
        } catch { Issue.record(error) }
        request.endAccessingResources()
        #expect((NSBundleErrorMinimum...NSBundleErrorMaximum).contains(NSBundleOnDemandResourceOutOfSpaceError))
    }
}
