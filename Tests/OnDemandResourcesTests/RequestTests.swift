import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import OnDemandResources
@testable import ResourceLoading

/// Apple's names, as an app uses them.
///
/// An app would contain every line except the one that names the source.
@Suite(.timeLimit(.minutes(1)))
struct RequestTests {
    let packs = [
        TestPack(name: "level", body: content(50_000), tags: ["level-1"]),
        TestPack(name: "music", body: content(10_000, seed: 2), tags: ["level-1", "sound"]),
    ]

    /// A bundle of its own with a source: all tests share the main bundle.
    private func withBundle(
        _ script: @escaping Fixture.Script = { _, _ in nil },
        _ body: (Bundle, Fixture) async throws -> Void
    ) async throws {
        try await Fixture.run(packs, script: script) { fixture in
            let folder = fixture.folder.appending("app.bundle")
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
            let bundle = try #require(Bundle(path: folder.string))
            let manifest = try #require(URL(string: fixture.configuration.manifest))
            let store = URL(fileURLWithPath: fixture.configuration.store.string)
            try await bundle.setOnDemandResources(from: OnDemandResourcesSource(manifest: manifest, store: store))
            do {
                try await body(bundle, fixture)
                await bundle.removeOnDemandResources()
            } catch {
                await bundle.removeOnDemandResources()
                throw error
            }
        }
    }

    @Test func beginsUsesAndEnds() async throws {
        try await withBundle { bundle, fixture in
            let request = NSBundleResourceRequest(tags: ["level-1"], bundle: bundle)
            #expect(request.loadingPriority == 0.5)
            #expect(request.progress.fractionCompleted == 0)
            request.loadingPriority = NSBundleResourceRequestLoadingPriorityUrgent
            try await request.beginAccessingResources()
            #expect(request.progress.fractionCompleted == 1)
            let url = try #require(request.bundle.url(forResource: "level", withExtension: "bin"))
            #expect(try Data(contentsOf: url) == Data(packs[0].body))
            #expect(bundle.path(forResource: "music.bin", ofType: nil) != nil)
            #expect(bundle.path(forResource: "nothing", ofType: "bin") == nil)
            let names = ["level.bin", "music.bin"]
            let all = bundle.urls(forResourcesWithExtension: "bin", subdirectory: nil) ?? []
            #expect(all.map(\.lastPathComponent) == names)
            #expect(bundle.paths(forResourcesOfType: "bin", inDirectory: nil) == all.map(\.path))
            #expect(bundle.paths(forResourcesOfType: "png", inDirectory: nil) == [])
            #expect(
                bundle.url(forResource: "level", withExtension: "bin", subdirectory: nil, localization: "de") == url)
            #expect(
                bundle.path(forResource: "level", ofType: "bin", inDirectory: nil, forLocalization: "de") == url.path)
            request.endAccessingResources()
            #expect(request.bundle.url(forResource: "level", withExtension: "bin") == nil)
            #expect(bundle.paths(forResourcesOfType: "bin", inDirectory: nil) == [])
        }
    }

    /// A pack's note and its `Info.plist` are no resources; a file of such a name in one of its folders is.
    @Test func findsNothingThatDescribesAPack() async throws {
        try await withBundle { bundle, _ in
            let request = NSBundleResourceRequest(tags: ["sound"], bundle: bundle)
            try await request.beginAccessingResources()
            let pack = try #require(bundle.url(forResource: "music", withExtension: "bin")).deletingLastPathComponent()
            #expect(FileManager.default.fileExists(atPath: pack.appendingPathComponent(".pack.json").path))
            let sub = pack.appendingPathComponent("sub")
            try FileManager.default.createDirectory(at: sub, withIntermediateDirectories: true)
            for folder in [pack, sub] {
                try Data("<plist/>".utf8).write(to: folder.appendingPathComponent("Info.plist"))
            }
            for (name, type) in [(".pack", "json"), ("Info", "plist")] {
                #expect(bundle.url(forResource: name, withExtension: type) == nil)
                #expect(bundle.path(forResource: "\(name).\(type)", ofType: nil) == nil)
                #expect(bundle.paths(forResourcesOfType: type, inDirectory: nil) == [])
                #expect(bundle.urls(forResourcesWithExtension: type, subdirectory: nil) ?? [] == [])
            }
            #expect(bundle.path(forResource: "Info", ofType: "plist", inDirectory: "sub") != nil)
            #expect(bundle.paths(forResourcesOfType: "plist", inDirectory: "sub").count == 1)
            request.endAccessingResources()
        }
    }

    @Test func aConditionalRequestUsesNoNetwork() async throws {
        try await withBundle { bundle, fixture in
            let request = NSBundleResourceRequest(tags: ["sound"], bundle: bundle)
            #expect(await request.conditionallyBeginAccessingResources() == false)
            #expect(fixture.server.requests.isEmpty)
            try await request.beginAccessingResources()
            let second = NSBundleResourceRequest(tags: ["sound"], bundle: bundle)
            #expect(await second.conditionallyBeginAccessingResources() == true)
            let unknown = NSBundleResourceRequest(tags: ["noise"], bundle: bundle)
            #expect(await unknown.conditionallyBeginAccessingResources() == false)
            second.endAccessingResources()
            request.endAccessingResources()
        }
    }

    @Test func errorsCarryApplesNumbers() async throws {
        try await withBundle { bundle, _ in
            let request = NSBundleResourceRequest(tags: ["no such tag"], bundle: bundle)
            do {
                try await request.beginAccessingResources()
                Issue.record("an unknown tag cannot be available")
            } catch let error as CocoaError where error.code == .bundleOnDemandResourceInvalidTag {
                let error = error as NSError
                #expect(error.domain == NSCocoaErrorDomain)
                #expect(error.code == NSBundleOnDemandResourceInvalidTagError)
                #expect(error.localizedDescription == "The requested application data doesn't exist.")
                #expect(error.localizedFailureReason?.contains("'no such tag'") == true)
                #expect(error.userInfo[NSUnderlyingErrorKey] == nil)
            }
            request.endAccessingResources()
        }
    }

    /// How apps tell errors apart.
    @Test func errorsAreOfTheTypesOfTheirDomains() async throws {
        try await withBundle({ _, pack in pack == nil ? nil : [.head(404, "Content-Length: 0")] }) { bundle, _ in
            let request = NSBundleResourceRequest(tags: ["sound"], bundle: bundle)
            let error = await #expect(throws: (any Error).self) { try await request.beginAccessingResources() }
            #expect((error as? URLError)?.code == .resourceUnavailable)
            #expect(!(error is CocoaError))
            let plain = error as NSError?
            #expect(plain?.domain == NSURLErrorDomain && plain?.code == NSURLErrorResourceUnavailable)
            #expect(plain?.localizedDescription.contains("404") == true)
            #expect(error?.localizedDescription == plain?.localizedDescription)
            request.endAccessingResources()
        }
    }

    @Test func aBundleWithoutASourceHasNoManifest() async throws {
        let request = NSBundleResourceRequest(tags: ["x"])
        let error = await withCheckedContinuation { continuation in
            request.beginAccessingResources { continuation.resume(returning: $0 as NSError?) }
        }
        #expect(error?.code == 4994)
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 100)
    }

    @Test func cancellingItsProgressCancelsTheRequest() async throws {
        try await withBundle({ _, pack in pack == nil ? nil : [.stall] }) { bundle, _ in
            let request = NSBundleResourceRequest(tags: ["sound"], bundle: bundle)
            let error = await withCheckedContinuation { continuation in
                request.beginAccessingResources { continuation.resume(returning: $0 as NSError?) }
                request.progress.cancel()
            }
            #expect(error?.domain == NSCocoaErrorDomain)
            #expect(error?.code == CocoaError.userCancelled.rawValue)
        }
    }

    @Test func aReleasedRequestPinsNothing() async throws {
        try await withBundle { bundle, fixture in
            do {
                let request = NSBundleResourceRequest(tags: ["sound"], bundle: bundle)
                try await request.beginAccessingResources()
                #expect(held(bundle) == ["music"])
                withExtendedLifetime(request) {}
            }
            #expect(bundle.url(forResource: "music", withExtension: "bin") == nil)
            #expect(held(bundle) == [])
        }
    }

    /// The packs that no purge may remove.
    private func held(_ bundle: Bundle) -> Set<String>? {
        BundleRegistry.loader(of: bundle)?.state.withLock { $0.ledger.wanted }
    }

    @Test func preservationPrioritiesAreKept() async throws {
        try await withBundle { bundle, _ in
            #expect(bundle.preservationPriority(forTag: "sound") == 0)
            bundle.setPreservationPriority(0.7, forTags: ["sound"])
            bundle.setPreservationPriority(7, forTags: ["level-1"])
            #expect(bundle.preservationPriority(forTag: "sound") == 0.7)
            #expect(bundle.preservationPriority(forTag: "level-1") == 1)
        }
    }

    @Test func callsOutOfOrderTrap() async {
        await #expect(processExitsWith: .failure) {
            NSBundleResourceRequest(tags: ["x"]).endAccessingResources()
        }
        await #expect(processExitsWith: .failure) {
            let request = NSBundleResourceRequest(tags: ["x"])
            request.beginAccessingResources { _ in }
            request.beginAccessingResources { _ in }
        }
        await #expect(processExitsWith: .failure) {
            Bundle.main.setPreservationPriority(1, forTags: ["x"])
        }
    }

    @Test func aManifestInTheAppIsAFile() throws {
        let file = URL(fileURLWithPath: "/apps/my game/AssetPackManifest.plist")
        let store = URL(fileURLWithPath: "/device")
        #expect(
            OnDemandResourcesSource(manifest: file, store: store).configuration.manifest
                == "/apps/my game/AssetPackManifest.plist")
        let address = try #require(URL(string: "https://host.example/a%20b"))
        #expect(
            OnDemandResourcesSource(manifest: address, store: store).configuration.manifest
                == "https://host.example/a%20b")
    }

    @Test func theConstantsEqualApples() {
        #expect(NSBundleOnDemandResourceOutOfSpaceError == 4992)
        #expect(NSBundleOnDemandResourceExceededMaximumSizeError == 4993)
        #expect(NSBundleOnDemandResourceInvalidTagError == 4994)
        #expect(CocoaError.Code.bundleOnDemandResourceOutOfSpace.rawValue == 4992)
        #expect(NSBundleResourceRequestLoadingPriorityUrgent > 1)
    }
}
