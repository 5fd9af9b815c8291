import Foundation
import Synchronization
import Testing

@testable import OnDemandResources
@testable import ResourceLoading

/// The rules of a request object's calls and callbacks, as an app meets them.
@Suite(.timeLimit(.minutes(1)))
struct RequestCallTests {
    private let packs = [TestPack(name: "music", body: content(10_000), tags: ["sound"])]

    /// A host that sends half of a pack and then stalls.
    private let halfOnly: Fixture.Script = { _, pack in
        pack.map { [Right.whole($0.body)[0], .send(Array($0.body[..<5000])), .stall] }
    }

    /// Begins the request; the stream yields the code of each callback, 0 for success.
    private func begin(_ request: NSBundleResourceRequest) -> AsyncStream<Int> {
        let (codes, code) = AsyncStream.makeStream(of: Int.self)
        request.beginAccessingResources { code.yield(($0 as NSError?)?.code ?? 0) }
        return codes
    }

    @Test func cancelsADownloadThatIsReleased() async throws {
        try await Fixture.run(packs, script: halfOnly) { fixture in
            try await fixture.withBundle { bundle in
                var request: NSBundleResourceRequest? = NSBundleResourceRequest(tags: ["sound"], bundle: bundle)
                weak let witness = request
                let codes = begin(try #require(request))
                while request?.progress.fractionCompleted == 0 { try await Task.sleep(for: .milliseconds(5)) }
                request = nil
                #expect(witness == nil)
                #expect(await codes.first { _ in true } == CocoaError.userCancelled.rawValue)
                #expect(BundleRegistry.loader(of: bundle)?.foldersInUse == [])
            }
        }
    }

    @Test(arguments: [true, false])
    func aCancelledParentCancels(beforeTheBegin: Bool) async throws {
        try await Fixture.run(packs, script: halfOnly) { fixture in
            try await fixture.withBundle { bundle in
                let whole = Progress(totalUnitCount: 10)
                let request = NSBundleResourceRequest(tags: ["sound"], bundle: bundle)
                whole.addChild(request.progress, withPendingUnitCount: 5)
                if beforeTheBegin { whole.cancel() }
                let codes = begin(request)
                if !beforeTheBegin {
                    while whole.fractionCompleted == 0 { try await Task.sleep(for: .milliseconds(5)) }
                    // Half of the pack is half of the request's half.
                    #expect(whole.fractionCompleted == 0.25)
                    whole.cancel()
                }
                #expect(await codes.first { _ in true } == 3072)
                request.endAccessingResources()
            }
        }
    }

    @Test func aRequestIsPartOfTheCurrentProgress() async throws {
        try await Fixture.run(packs) { fixture in
            try await fixture.withBundle { bundle in
                let whole = Progress(totalUnitCount: 1)
                func make() -> NSBundleResourceRequest {
                    whole.becomeCurrent(withPendingUnitCount: 1)
                    defer { whole.resignCurrent() }
                    return NSBundleResourceRequest(tags: ["sound"], bundle: bundle)
                }
                let request = make()
                try await request.beginAccessingResources()
                #expect(whole.isFinished && whole.fractionCompleted == 1)
                request.endAccessingResources()
            }
        }
    }

    /// Callbacks of two bundles with a source and one without: after success, after errors, and of the conditional
    /// call.
    @Test func allCallbacksComeOnOneSerialQueue() async throws {
        let key = DispatchSpecificKey<Bool>()
        CompletionQueue.shared.setSpecific(key: key, value: true)
        let places = Mutex<[Bool]>([])
        let note: @Sendable () -> Void = {
            places.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true && !Thread.isMainThread) }
        }
        try await Fixture.run(packs) { fixture in
            try await fixture.withBundle("one") { one in
                try await fixture.withBundle("two") { two in
                    for (bundle, tag) in [(one, "sound"), (two, "sound"), (two, "noise"), (Bundle.main, "sound")] {
                        let request = NSBundleResourceRequest(tags: [tag], bundle: bundle)
                        let isThere = await withCheckedContinuation { continuation in
                            request.conditionallyBeginAccessingResources {
                                note()
                                continuation.resume(returning: $0)
                            }
                        }
                        #expect(!isThere)
                        await withCheckedContinuation { continuation in
                            request.beginAccessingResources { _ in
                                note()
                                continuation.resume()
                            }
                        }
                        request.endAccessingResources()
                    }
                }
            }
        }
        #expect(places.withLock { $0 } == Array(repeating: true, count: 8))
    }

    /// The callback is the earliest place where an app may end the request.
    @Test func theCallbackMayEndTheRequest() async throws {
        try await Fixture.run(packs) { fixture in
            try await fixture.withBundle { bundle in
                for _ in 0..<20 {
                    let request = NSBundleResourceRequest(tags: ["sound"], bundle: bundle)
                    await withCheckedContinuation { continuation in
                        request.beginAccessingResources { _ in
                            request.endAccessingResources()
                            continuation.resume()
                        }
                    }
                    #expect(BundleRegistry.loader(of: bundle)?.foldersInUse == [])
                }
            }
        }
    }

    @Test func anEndOutOfOrderTrapsWithAReason() async throws {
        let early = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            NSBundleResourceRequest(tags: ["x"]).endAccessingResources()
        }
        let text = String(decoding: early?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(RequestMisuse.endedBeforeBegin.description))
        await #expect(processExitsWith: .failure) {
            let request = NSBundleResourceRequest(tags: ["x"])
            try? await request.beginAccessingResources()
            request.endAccessingResources()
            request.endAccessingResources()
        }
        await #expect(processExitsWith: .failure) {
            let request = NSBundleResourceRequest(tags: ["x"])
            try? await request.beginAccessingResources()
            request.endAccessingResources()
            request.beginAccessingResources { _ in }
        }
        await #expect(processExitsWith: .failure) {
            let request = NSBundleResourceRequest(tags: ["x"])
            request.conditionallyBeginAccessingResources { _ in }
            request.endAccessingResources()
        }
        // The right order succeeds: this shows that the expectations above can fail.
        await #expect(processExitsWith: .success) {
            let request = NSBundleResourceRequest(tags: ["x"])
            _ = await request.conditionallyBeginAccessingResources()
            try? await request.beginAccessingResources()
            request.endAccessingResources()
        }
    }
}
