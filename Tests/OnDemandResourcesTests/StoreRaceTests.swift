import Foundation
import Glibc
import SystemPackage
import Testing

@testable import ResourceLoading

/// Stores that several threads make, open and reset at the same time.
@Suite(.sideBySide, .timeLimit(.minutes(2)))
struct StoreRaceTests {
    /// Runs the body on `count` threads that start at once, and returns their results.
    private func atOnce<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> Value) async -> [Value] {
        let gate = Gate()
        return await withTaskGroup(of: Value.self) { group in
            for number in 0..<count {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            gate.pass()
                            continuation.resume(returning: body(number))
                        }
                    }
                }
            }
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(arguments: [false, true])
    func manyMayBeginOnAFreshFolder(isDevice: Bool) async throws {
        try await withTemporaryFolder { folder in
            for round in 0..<20 {
                let root = folder.appending("\(round)")
                let errors = await atOnce(6) { number -> String? in
                    do {
                        let store =
                            isDevice ? try PackStore(root, bundle: "b\(number % 2)") : try PackStore(root)
                        store.close()
                        return nil
                    } catch {
                        return "\(error)"
                    }
                }
                #expect(errors.allSatisfy { $0 == nil }, "round \(round): \(errors)")
            }
        }
    }

    /// An open store has its mark file, whatever a reset did meanwhile.
    @Test func openingDuringAResetYieldsAStore() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("store")
            for round in 0..<50 {
                try PackStore(root).close()
                let stores = await atOnce(4) { number -> PackStore? in
                    if number > 0 { return try? PackStore(root) }
                    try? PackStore.reset(root)
                    return nil
                }
                let open = stores.compactMap { $0 }
                if !open.isEmpty { #expect(FileSystem.status(of: root.appending("store")) != nil, "round \(round)") }
                #expect(open.count == 3, "round \(round)")
                for store in open { store.close() }
            }
        }
    }

    @Test func aDeviceIsNotResetWhileStoresOpen() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("device")
            for round in 0..<50 {
                try PackStore(root, bundle: "one").close()
                let stores = await atOnce(3) { number -> PackStore? in
                    if number > 0 { return try? PackStore(root, bundle: "b\(number)") }
                    for store in (try? PackStore.stores(in: root)) ?? [] { try? PackStore.reset(store.root) }
                    try? PackStore.resetDevice(root)
                    return nil
                }
                let open = stores.compactMap { $0 }
                #expect(open.count == 2, "round \(round)")
                for store in open {
                    #expect(FileSystem.status(of: store.layout.mark) != nil, "round \(round)")
                    #expect(FileSystem.status(of: store.layout.users) != nil, "round \(round)")
                    #expect(DeviceLayout(root: root).isDevice, "round \(round)")
                    store.close()
                }
            }
        }
    }
}
