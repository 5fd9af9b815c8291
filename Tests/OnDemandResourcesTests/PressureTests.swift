import Events
import Synchronization
import SystemPackage
import Testing

@testable import ResourceLoading

/// A system that needs room apart from any request: which apps are notified, and which packs are purged or stay.
@Suite(.timeLimit(.minutes(1)))
struct PressureTests {
    /// Four packs of 10,000 bytes on a device of 50,000, used in the order of their names.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var pressure: StoragePressure
        var isAppRunning = true
        var preserved: [String: Double] = [:]
        var pinned: [String] = []
        var purged: [String] = []
        var missing: Int64?
        var isTold = true
    }

    static let cases = [
        Case(testDescription: "all that is free", pressure: .fill(10_000), isTold: false),
        Case(testDescription: "a byte more", pressure: .fill(10_001), purged: ["a"]),
        Case(testDescription: "just one pack", pressure: .fill(20_000), purged: ["a"]),
        Case(testDescription: "a byte more than one pack", pressure: .fill(20_001), purged: ["a", "b"]),
        Case(testDescription: "free one pack", pressure: .purge(10_000), purged: ["a"]),
        Case(testDescription: "free a byte more", pressure: .purge(10_001), purged: ["a", "b"]),
        Case(
            testDescription: "by preservation, then by last use", pressure: .fill(30_001),
            preserved: ["a": 0.9, "b": 0.1], purged: ["c", "d", "b"]),
        Case(
            testDescription: "what is pinned stays", pressure: .fill(20_001), pinned: ["a", "c"],
            purged: ["b", "d"]),
        Case(
            testDescription: "nothing may go", pressure: .fill(20_000), pinned: ["a", "b", "c", "d"], missing: 10_000),
        Case(
            testDescription: "too little may go", pressure: .purge(1_000_000), pinned: ["b"], purged: ["a", "c", "d"],
            missing: 970_000),
        Case(
            testDescription: "more than the device has", pressure: .fill(.max), pinned: ["a"],
            purged: ["b", "c", "d"], missing: 10_000),
        Case(
            testDescription: "no app runs", pressure: .fill(20_001), isAppRunning: false, purged: ["a", "b"],
            isTold: false),
        Case(
            testDescription: "no app runs, and nothing is there to go", pressure: .purge(40_001), isAppRunning: false,
            purged: ["a", "b", "c", "d"], missing: 1, isTold: false),
    ]

    private static let packs = ["a", "b", "c", "d"].enumerated().map { number, name in
        TestPack(name: name, body: content(10_000, seed: UInt64(number)), tags: [name])
    }

    private static func run(_ body: (Fixture) async throws -> Void) async throws {
        try await Fixture.run(packs, configure: { $0.capacity = 50_000 }, script: { _, _ in nil }) { fixture in
            for pack in packs { try await fixture.expect(nil, pack.name) }
            try await body(fixture)
        }
    }

    @Test(arguments: cases) func purgesInTheExpectedOrder(_ test: Case) async throws {
        try await Self.run { fixture in
            try await fixture.withLoader { loader in
                for (tag, priority) in test.preserved { loader.store.setPreservation(priority, of: tag) }
                var keys: [ResourceLoader.RequestKey] = []
                for tag in test.pinned { keys.append(await loader.request([tag], id: tag).0) }
                try await loader.press(test.pressure, isAppRunning: test.isAppRunning)
                let left = Set(Self.packs.map(\.name)).subtracting(test.purged)
                #expect(loader.store.storedTags == left)
                keys.forEach(loader.end)
            }
            let events = fixture.log.all
            #expect(events.filter { $0.kind == .purged }.compactMap(\.pack) == test.purged)
            #expect(events.count { $0.kind == .notification } == (test.isTold ? 1 : 0))
            let room = events.last { $0.kind == .room }
            #expect(room?.missing == test.missing)
            #expect((room?.freed ?? 0) == Int64(10_000 * test.purged.count))
            // The demand, then the notification, then the purges, then their result.
            let order: [ClientEvent.Kind] = [.fill, .purge, .notification, .purged, .room]
            let told = events.compactMap { event in event.kind.flatMap(order.firstIndex) }
            #expect(told == told.sorted() && told.first == (test.pressure.isFill ? 0 : 1))
        }
    }

    /// Packs that a notified app ends are not in use any more, and packs that it removes need no purge.
    @Test(arguments: [true, false]) func notifiesTheAppBeforeAPurge(ends: Bool) async throws {
        try await Self.run { fixture in
            let key = Mutex<ResourceLoader.RequestKey?>(nil)
            let app = Mutex<ResourceLoader?>(nil)
            let log = fixture.log
            let loader = try ResourceLoader(fixture.configuration) { event in
                log.add(event)
                guard event.kind == .notification, let loader = app.withLock({ $0 }) else { return }
                if ends {
                    if let key = key.withLock({ $0 }) { loader.end(key) }
                } else {
                    #expect((try? loader.store.purgeAll(keeping: ["c"]))?.map(\.pack) == ["b", "d", "a"])
                }
            }
            app.withLock { $0 = loader }
            let (first, _) = await loader.request(["a"], id: "first")
            key.withLock { $0 = first }
            let (rest, _) = ends ? await loader.request(["b", "c", "d"], id: "rest") : (first, nil)
            if !ends { loader.end(first) }
            try await loader.press(.purge(10_000), isAppRunning: true)
            app.withLock { $0 = nil }
            await loader.close()
            #expect(log.all(.purged).compactMap(\.pack) == (ends ? ["a"] : []))
            #expect(log.all(.room).map(\.missing) == (ends ? [nil] : []))
            if ends { loader.end(rest) }
        }
    }

    /// Room that the system took is missing for every later request.
    @Test func roomThatTheSystemTookStaysMissing() async throws {
        try await Self.run { fixture in
            try await fixture.withLoader { loader in
                try await loader.press(.fill(41_000), isAppRunning: true)
                #expect(loader.store.stored == 0 && loader.store.capacity == 9_000)
                let (key, error) = await loader.request(["a"])
                #expect(error?.code == 4992 && error?.message.contains("its 9000") == true)
                loader.end(key)
            }
        }
    }

    /// Packs of apps that do not run are purged first; if no app runs, last use alone decides.
    @Test(arguments: [(true, false, ["z", "a"]), (false, true, ["a", "z"]), (false, false, ["z", "a"])])
    func appsThatDoNotRunGoFirst(isAppRunning: Bool, isOtherRunning: Bool, order: [String]) {
        var own = StoreInventory(capacity: 10)
        own.packs["a"] = StoredPack(pack: "a", bytes: 5)
        own.index.use(["a"], after: 7)
        var other = StoreInventory(capacity: nil)
        other.packs["z"] = StoredPack(pack: "z", bytes: 5)
        other.index.use(["z"])
        if isOtherRunning { other.others = [StoreClaims(process: 1)] }
        own.siblings["other"] = StoreSibling(layout: StoreLayout(root: "/nowhere"), inventory: other)
        let all = own.victims(upTo: 6, keeping: [], isAppRunning: isAppRunning)
        #expect(all.packs.map(\.pack) == order && all.missing == 0)
        let one = own.victims(upTo: 5, keeping: [], isAppRunning: isAppRunning)
        #expect(one.packs.map(\.pack) == [order[0]])
    }
}

extension StoragePressure {
    fileprivate var isFill: Bool {
        switch self {
        case .fill: true
        case .purge: false
        }
    }
}
