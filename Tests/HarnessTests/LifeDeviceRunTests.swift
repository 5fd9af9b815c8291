import Results
import Testing

@testable import Harness

/// What a device does in an app's life: purchases, radios, purges, several apps.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct LifeDeviceRunTests {
    @Test func contentIsRefusedUntilItIsBought() async throws {
        let result = try await LifeRunTests.run(
            """
            bought: [bonus]
            workload:
              - request: {id: early, tags: [bonus]}
              - request: {id: other, tags: [level-4]}
              - buy: [bonus]
              - request: {id: late, tags: [bonus]}
              - quit
              - launch
              - request: {id: later, tags: [bonus]}
            expect: {early: error network -1008, other: available, late: available, later: available}
            budgets: {requests: each == 3}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
    }

    @Test func bytesCountForTheRadioTheyCameBy() async throws {
        let result = try await LifeRunTests.run(
            """
            workload:
              - request: {tags: [level-4]}
              - radio: cellular
              - request: {tags: [level-5, level-6]}
            budgets: {bytes_on_wifi: max <= 104 kB, bytes_on_cellular: max <= 208 kB}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
        #expect((100_000...104_000).contains(LifeRunTests.value(.bytesOnWifi, result) ?? 0))
        #expect((200_000...208_000).contains(LifeRunTests.value(.bytesOnCellular, result) ?? 0))
    }

    @Test(arguments: [("none", -1009), ("cellular", -1020)])
    func aDownloadEndsWithItsNetwork(_ radio: String, _ code: Int) async throws {
        let result = try await LifeRunTests.run(
            """
            link: {downlink: {rate: 1 Mbit/s, delay: 10 ms}, uplink: {rate: 1 Mbit/s, delay: 10 ms}}
            device: {cellular-allowed: false}
            workload:
              - request: {id: left, tags: [level-4], background: true}
              - sleep: 400 ms
              - radio: \(radio)
              - wait: left
              - radio: wifi
              - request: {id: back, tags: [level-4]}
            expect: {left: error network NSURLErrorDomain \(code), back: available}
            budgets: {bytes_on_cellular: max <= 0, redundant_bytes: max <= 64 KiB}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
    }

    @Test func aDownloadGoesOnByAnotherRadio() async throws {
        let result = try await LifeRunTests.run(
            """
            link: {downlink: {rate: 1 Mbit/s, delay: 10 ms}, uplink: {rate: 1 Mbit/s, delay: 10 ms}}
            workload:
              - request: {id: one, tags: [level-4], background: true}
              - sleep: 400 ms
              - radio: cellular
              - wait: one
            expect: available
            budgets: {requests: each == 2, redundant_bytes: max <= 64 KiB}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
        let bytes = [Metric.bytesOnWifi, .bytesOnCellular].map { LifeRunTests.value($0, result) ?? 0 }
        #expect(bytes.allSatisfy { $0 > 10_000 }, "\(bytes)")
    }

    @Test func preservedPacksArePurgedLater() async throws {
        func requests(_ step: String) async throws -> RunResult {
            try await LifeRunTests.run(
                """
                device: {capacity: 320 kB}
                workload:
                  - request: {id: four, tags: [level-4]}
                  - end: four
                  - request: {id: five, tags: [level-5]}
                  - end: five\(step)
                  - request: {id: six, tags: [level-6]}
                  - end: six
                  - request: {id: again, tags: [level-4]}
                """)
        }
        let plain = try await requests("")
        #expect(LifeRunTests.value(.requests, plain) == 4, "\(plain.text)")
        let kept = try await requests("\n  - preserve: {tags: [level-4], priority: 1}")
        #expect(LifeRunTests.value(.requests, kept) == 3, "\(kept.text)")
    }

    @Test func appsOfOneDeviceCompete() async throws {
        let result = try await LifeRunTests.run(
            """
            device: {capacity: 320 kB}
            workload:
              - launch: {bundle: com.example.first}
              - request: {id: old, tags: [level-4]}
              - end: old
              - request: {id: newer, tags: [level-5]}
              - quit
              - launch: {bundle: com.example.second}
              - request: {id: other, tags: [level-6]}
              - quit
              - launch: {bundle: com.example.first}
              - request: {id: still, tags: [level-5]}
            expect: available
            budgets: {requests: each == 3, overpurged_bytes: max <= 100 kB}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
    }

    /// Packs that came with the app, or were prefetched, are purged like any other, and are fetched again.
    @Test func packsThatCameWithTheAppMayBePurged() async throws {
        let result = try await LifeRunTests.run(
            """
            device: {capacity: 330 kB}
            workload:
              - install
              - launch
              - think: 1500 ms
              - request: {id: four, tags: [level-4]}
              - end: four
              - request: {id: again, tags: [menu, level-1]}
            expect: available
            # Menu, level 1, music; level 4, for which both go; and both again.
            budgets: {requests: each == 6}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
    }
}
