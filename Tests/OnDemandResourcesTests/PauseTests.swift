import Dispatch
import Events
import Foundation
import Synchronization
import Testing

@testable import OnDemandResources
@testable import ResourceLoading

/// A pause stops the transfer, and a resume continues it at the same byte.
@Suite(.timeLimit(.minutes(1)))
struct PauseTests {
    private let pack = TestPack(name: "p", body: content(50_000), tags: ["t"])

    @Test func aPauseStopsTheTransferWithoutRepeatedBytes() async throws {
        let rest = Gate()
        try await Fixture.run([pack]) { _, pack in
            pack.map {
                [Right.whole($0.body)[0], .send(Array($0.body[..<1000])), .wait(rest), .send(Array($0.body[1000...]))]
            }
        } _: { fixture in
            try await fixture.withLoader { loader in
                async let arrived: Void = fixture.log.next {
                    $0.kind == .progress && $0.completed == 1000
                }
                let (answers, answer) = AsyncStream.makeStream(of: Int.self)
                let key = loader.begin(id: "r", tags: ["t"]) { answer.yield($0?.code ?? 0) }
                await arrived
                loader.setPaused(true, of: key)
                rest.open()
                // Time enough for all bytes to arrive, if the transfer were not paused.
                try await Task.sleep(for: .milliseconds(300))
                #expect(Self.mostCompleted(fixture) == 1000)
                loader.setPaused(false, of: key)
                #expect(await answers.first { _ in true } == 0)
                loader.end(key)
            }
            #expect(fixture.server.requests(for: pack.target).count == 1)
            let calls = fixture.log.all.filter { $0.kind == .paused || $0.kind == .resumed }
            #expect(calls.map(\.kind) == [.paused, .resumed] && calls.allSatisfy { $0.id == "r" })
        }
    }

    private static func mostCompleted(_ fixture: Fixture) -> Int64? {
        fixture.log.all(.progress).compactMap(\.completed).max()
    }

    @Test func aPauseBeforeTheManifestArrivesTakesEffect() async throws {
        let (manifest, table) = (Gate(), try Fixture.tagTable([pack]).plist())
        try await Fixture.run([pack]) { request, _ in
            request.target == "/OnDemandResources.plist"
                ? [.wait(manifest)] + Right.whole(table) : nil
        } _: { fixture in
            try await fixture.withLoader { loader in
                let (answers, answer) = AsyncStream.makeStream(of: Int.self)
                let key = loader.begin(id: "r", tags: ["t"]) { answer.yield($0?.code ?? 0) }
                loader.setPaused(true, of: key)
                async let known: Void = fixture.log.next { $0.kind == .progress }
                manifest.open()
                await known
                try await Task.sleep(for: .milliseconds(200))
                #expect(fixture.server.requests(for: pack.target).isEmpty)
                loader.setPaused(false, of: key)
                #expect(await answers.first { _ in true } == 0)
                loader.end(key)
            }
        }
    }

    /// A pause longer than the patience, and a host that resets the connection meanwhile.
    @Test func patienceDoesNotRunWhilePaused() async throws {
        let gone = Gate()
        try await Fixture.run([pack]) {
            $0.transfers.patience = .seconds(1)
        } script: { request, pack in
            guard let pack, request.number == 1 else { return nil }
            return [Right.whole(pack.body)[0], .wait(gone), .reset]
        } _: { fixture in
            try await fixture.withLoader { loader in
                async let answered: Void = fixture.log.next {
                    $0.kind == .response && $0.pack == "p"
                }
                let (answers, answer) = AsyncStream.makeStream(of: Int.self)
                let key = loader.begin(id: "r", tags: ["t"]) { answer.yield($0?.code ?? 0) }
                await answered
                loader.setPaused(true, of: key)
                try await Task.sleep(for: .milliseconds(1500))
                gone.open()
                loader.setPaused(false, of: key)
                #expect(await answers.first { _ in true } == 0)
                loader.end(key)
            }
            #expect(fixture.server.requests(for: pack.target).count == 2)
        }
    }

    /// The loader pauses a download under its lock, for which a receiver waits when it asks for room.
    @Test(arguments: [nil, "\"v1\""] as [String?])
    func aReceiverThatAsksForRoomSaysWhetherItCanResume(etag: String?) async throws {
        try await withTemporaryFolder { folder in
            let reader = ResumeReader()
            let hooks = PartialReceiver.Hooks(
                responded: { _, _, _ in },
                room: { _ in
                    reader.read()
                    return nil
                })
            let receiver = try PartialReceiver(
                pack: "p", edition: PackEdition(), expected: Expectation(),
                partial: PartialFile(folder: folder, name: "p"), hooks: hooks)
            reader.receiver.withLock { $0 = receiver }
            defer { reader.receiver.withLock { $0 = nil } }
            var head = ResponseHead()
            head.status = 200
            head.etag = etag
            // Without a length, the first bytes ask for room.
            let takesBody = receiver.received(head)
            let bytes: [UInt8] = [1, 2, 3]
            let isTaken = receiver.received(bytes.span.bytes)
            #expect(takesBody && isTaken)
            let inTime = reader.inTime.withLock { $0 }
            #expect(inTime == [true])
            #expect(receiver.canResume == (etag != nil))
            try receiver.rewind()
            #expect(receiver.canResume && receiver.start.from == 0 && receiver.gain.bytes == 3)
            try receiver.discard()
            #expect(receiver.gain.bytes == 0)
        }
    }

    @Test func aPauseKnowsHowLongItWasOn() {
        let pause = TransferPause()
        #expect(pause.held(until: 50) == 0)
        pause.set(true, at: 10)
        pause.set(true, at: 20)
        #expect(pause.isOn && pause.held(until: 25) == 15)
        pause.set(false, at: 30)
        pause.set(false, at: 35)
        #expect(!pause.isOn && pause.held(until: 50) == 20)
        pause.set(true, at: 60)
        #expect(pause.held(until: 75) == 35)
    }

    /// A transfer that begins between two pauses would request bytes that it then drops.
    @Test func aPausedTransferWaitsBrieflyBeforeItBegins() throws {
        let pause = TransferPause()
        #expect(pause.start == .min)
        pause.set(true, at: 10)
        #expect(pause.start == nil)
        pause.set(false, at: 1_000_000_000)
        let start = try #require(pause.start)
        #expect((1_100_000_000...1_300_000_000).contains(start))
        pause.set(true, at: 1_000_150_000)
        #expect(pause.start == nil)
        pause.set(false, at: 2_000_000_000)
        #expect(pause.start == start + 1_000_000_000)
    }

    /// Foundation calls the handlers of a progress on any thread, in any order.
    @Test func theLastOfManyPausesAndResumesCounts() async throws {
        try await Fixture.run([pack]) { fixture in
            try await fixture.withBundle { bundle in
                for _ in 0..<10 {
                    let request = NSBundleResourceRequest(tags: ["t"], bundle: bundle)
                    for _ in 0..<50 {
                        request.progress.pause()
                        request.progress.resume()
                    }
                    try await request.beginAccessingResources()
                    #expect(request.progress.fractionCompleted == 1)
                    request.endAccessingResources()
                    _ = try #require(BundleRegistry.loader(of: bundle)).store.purgeAll()
                }
            }
        }
    }

    @Test func aPausedProgressDelaysABegin() async throws {
        try await Fixture.run([pack]) { fixture in
            try await fixture.withBundle { bundle in
                let request = NSBundleResourceRequest(tags: ["t"], bundle: bundle)
                request.progress.pause()
                let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
                request.beginAccessingResources { answer.yield($0 == nil) }
                try await Task.sleep(for: .milliseconds(300))
                #expect(fixture.server.requests(for: pack.target).isEmpty)
                request.progress.resume()
                #expect(await answers.first { _ in true } == true)
                request.endAccessingResources()
            }
        }
    }

    /// A size that the host corrects must never move the progress bar back.
    @Test func theTotalUnitsOfAProgressStayConstant() {
        let progress = Progress(totalUnitCount: 0)
        let name = ResourceRequestObserver.shared.register(progress)
        defer { ResourceRequestObserver.shared.forget(name) }
        var shown: [Double] = []
        for (fraction, total) in [(0.0, Int64(0)), (0.0, 100), (0.5, 100), (0.5, 200), (0.75, 200), (1, 200)] {
            let event = ClientEvent(.progress) { ($0.id, $0.fraction, $0.total) = (name, fraction, total) }
            ResourceRequestObserver.shared.observe(event)
            shown.append(progress.fractionCompleted)
        }
        #expect(shown == [0, 0, 0.5, 0.5, 0.75, 1])
        #expect(progress.totalUnitCount == 100)
    }
}

/// Reads on a thread of its own whether a download can resume.
private final class ResumeReader: Sendable {
    let receiver = Mutex<PartialReceiver?>(nil)
    /// Whether each answer came within a second.
    let inTime = Mutex<[Bool]>([])

    func read() {
        guard let receiver = receiver.withLock({ $0 }) else { return }
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = receiver.canResume
            done.signal()
        }
        let isInTime = done.wait(timeout: .now() + .seconds(1)) == .success
        inTime.withLock { $0.append(isInTime) }
    }
}
