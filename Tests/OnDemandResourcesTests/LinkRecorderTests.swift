import Foundation
import PackFormat
import PackHost
import SystemPackage
import Testing

@testable import ResourceLoading

/// A connection to the real host, recorded.
@Suite(.sideBySide, .timeLimit(.minutes(1))) struct LinkRecorderTests {
    private func record(
        faults: [HostFault] = [], packs: [Int64] = [200_000, 70_000],
        _ change: @Sendable (inout LinkRecorder, String) -> Void = { _, _ in }
    ) async throws -> [LinkRecorder.Sample] {
        try await withTemporaryFolder { folder in
            var host = RealHost(folder: folder)
            for (index, bytes) in packs.enumerated() { try host.add(.init(name: "p\(index)", bytes: bytes, files: 0)) }
            return try await host.serve(faults: faults) { manifest in
                var recorder = LinkRecorder(url: manifest)
                (recorder.length, recorder.interval) = (.milliseconds(1200), .milliseconds(400))
                change(&recorder, manifest)
                return try await recorder.run()
            }
        }
    }

    private static func file(_ manifest: String, _ name: String) -> String {
        manifest.replacing("AssetPackManifest.plist", with: name)
    }

    @Test func turnsFollowOneAnotherWithoutGaps() async throws {
        let samples = try await record()
        #expect(samples.count >= 2)
        #expect(samples.first?.from == .zero && (samples.last?.to ?? .zero) >= .milliseconds(1200))
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.to == $1.from })
        #expect(samples.allSatisfy { $0.failure == nil && $0.roundTrip != nil && ($0.rate ?? 1) > 0 })
        #expect(samples.contains { $0.rate != nil })
    }

    @Test func aDrippingHostShowsItsRate() async throws {
        let drip = HostFault(pack: "p0", tries: nil, action: .drip(bytesPerSecond: 50_000))
        let samples = try await record(faults: [drip]) { recorder, _ in recorder.length = .seconds(3) }
        let rates = samples.compactMap(\.rate)
        #expect(!rates.isEmpty && rates.allSatisfy { (300_000...500_000).contains($0) }, "\(rates)")
    }

    /// A redirect is followed once, to the file that is then recorded.
    ///
    /// A host that refuses one turn says nothing about the link.
    @Test(arguments: [
        HostFault(pack: "p0", tries: nil, action: .redirect(to: "/p1.bin", status: 302)),
        HostFault(pack: "p0", tries: 3...3, action: .status(503, retryAfter: nil)),
    ])
    func aHostsAnswerIsNoFailureOfTheLink(_ fault: HostFault) async throws {
        let samples = try await record(faults: [fault])
        #expect(samples.allSatisfy { $0.failure == nil } && samples.contains { $0.rate != nil }, "\(samples)")
        #expect((samples.last?.to ?? .zero) >= .milliseconds(1200), "\(samples)")
    }

    /// What the recorder refuses, why, and whether the host was unreachable.
    @Test func unsuitableFilesAndAddressesAreRefused() async throws {
        func refusal(
            faults: [HostFault] = [], packs: [Int64] = [200_000],
            _ change: @escaping @Sendable (inout LinkRecorder, String) -> Void = { _, _ in }
        ) async throws -> LinkRecorder.Refusal? {
            do {
                _ = try await record(faults: faults, packs: packs, change)
                return nil
            } catch let refusal as LinkRecorder.Refusal {
                return refusal
            }
        }
        let small = try await refusal(packs: [65_535])
        #expect(small?.description.contains("65535 bytes") == true && small?.isUnreachable == false)
        let whole = try await refusal(faults: [HostFault(pack: "p0", tries: nil, action: .ignoreRange)])
        #expect(whole?.description.contains("supports ranges") == true)
        let none = try await refusal { recorder, manifest in recorder.url = Self.file(manifest, "none.bin") }
        #expect(none?.description.contains("404") == true, "\(String(describing: none))")
        let list = try await refusal { recorder, manifest in recorder.url = Self.file(manifest, "none/") }
        #expect(list?.description.contains("manifest") == true)
        let closed = try await refusal { recorder, _ in recorder.url = "http://127.0.0.1:1/x.bin" }
        #expect(closed?.isUnreachable == true)
        #expect(try await refusal { recorder, _ in recorder.url = "ftp://a/b" }?.isUnreachable == false)
    }
}
