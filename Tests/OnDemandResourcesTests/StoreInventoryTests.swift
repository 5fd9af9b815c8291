import Testing

@testable import ResourceLoading

/// Which packs are purged when there is no room.
struct StoreInventoryTests {
    /// Packs of 100 bytes: a was used first, then b, then c; 'keep' is the tag of b and has a higher priority.
    private func inventory(capacity: Int64?) -> StoreInventory {
        var inventory = StoreInventory(capacity: capacity)
        for (pack, tag) in [("a", "x"), ("b", "keep"), ("c", "x")] {
            inventory.packs[pack] = StoredPack(pack: pack, bytes: 100, tags: [tag])
            inventory.index.use([pack])
        }
        inventory.index.preservation["keep"] = 0.5
        return inventory
    }

    struct Wish: Sendable {
        var bytes: Int64
        var kept: Set<String> = []
        /// Packs purged for it; nil if even purging all of them frees too little.
        var purged: [PackName]?
        var missing: Int64 = 0
    }

    static let wishes: [Wish] = [
        // Exactly the capacity is allowed; one byte more is not.
        Wish(bytes: 100, purged: []),
        Wish(bytes: 101, purged: ["a"]),
        Wish(bytes: 200, purged: ["a"]),
        Wish(bytes: 201, purged: ["a", "c"]),
        Wish(bytes: 301, purged: ["a", "c", "b"]),
        Wish(bytes: 400, purged: ["a", "c", "b"]),
        Wish(bytes: 401, purged: nil, missing: 1),
        Wish(bytes: 201, kept: ["a"], purged: ["c", "b"]),
        Wish(bytes: 201, kept: ["a", "b", "c"], purged: nil, missing: 101),
    ]

    @Test(arguments: wishes)
    func room(wish: Wish) {
        var inventory = inventory(capacity: 400)
        let answer = inventory.reserve(["new": wish.bytes], keeping: wish.kept)
        if let purged = wish.purged {
            #expect(answer == .init(packs: purged))
        } else {
            #expect(wish.missing > 0 && answer.missing == wish.missing)
        }
    }

    /// A host may announce any size.
    @Test func overflowingSizesDoNotFit() {
        var inventory = inventory(capacity: .max - 1)
        #expect(inventory.reserve(["new": .max, "other": .max], keeping: []) == .init(packs: ["a"]))
        inventory = self.inventory(capacity: 400)
        #expect(inventory.reserve(["new": .max, "other": .max], keeping: []).missing == .max - 700)
        inventory.partials = ["x": .max, "y": .max]
        #expect(inventory.stored == .max)
    }

    @Test func aRefusalChangesNothing() {
        var inventory = inventory(capacity: 400)
        _ = inventory.reserve(["n": 401], keeping: [])
        #expect(inventory.packs.count == 3)
        #expect(inventory.reservations.isEmpty)
    }

    @Test func reservationsCount() {
        var inventory = inventory(capacity: 400)
        #expect(inventory.reserve(["n": 100], keeping: ["a", "b", "c"]) == .init())
        #expect(inventory.reserve(["m": 1], keeping: ["a", "b", "c", "n"]).missing == 1)
    }

    @Test func arrivedBytesCountWithinTheirReservation() {
        var inventory = inventory(capacity: 400)
        inventory.partials["n"] = 60
        #expect(inventory.reserve(["n": 100], keeping: ["a", "b", "c"]) == .init())
        #expect(inventory.stored == 360)
    }

    @Test func abandonedDownloadsGoFirst() {
        var inventory = inventory(capacity: 400)
        inventory.partials = ["old": 80, "wanted": 10]
        let answer = inventory.reserve(["n": 100], keeping: ["wanted"])
        #expect(answer == .init(partials: ["old"], packs: ["a"]))
        #expect(inventory.index.packs["a"]?.isPurged == true)
        #expect(inventory.partials == ["wanted": 10])
    }

    /// Packs that were never used are ordered by size alone.
    @Test func theLargerGoesFirstAmongEquals() {
        var inventory = StoreInventory(capacity: 100)
        for (pack, bytes) in [("a", 10), ("b", 40), ("c", 20), ("d", 20)] as [(String, Int64)] {
            inventory.packs[pack] = StoredPack(pack: pack, bytes: bytes)
        }
        #expect(inventory.purgeOrder(keeping: []) == ["b", "c", "d", "a"])
        inventory.index.use(["b"])
        #expect(inventory.purgeOrder(keeping: []) == ["c", "d", "a", "b"])
    }

    @Test func aSmallerSecondReservationKeepsTheFirst() {
        var inventory = inventory(capacity: nil)
        _ = inventory.reserve(["n": 100], keeping: [])
        _ = inventory.reserve(["n": 50], keeping: [])
        #expect(inventory.reservations == ["n": 100])
    }

    /// A name from a hostile manifest refers only to a pack of its own bundle.
    @Test(arguments: ["other\0p", "\0p", "other/p"])
    func aNameNeverMeansAnotherBundlesPack(name: String) {
        var inventory = StoreInventory(capacity: 400)
        inventory.packs[name] = StoredPack(pack: name, bytes: 300)
        var other = StoreInventory(capacity: 400)
        other.packs["p"] = StoredPack(pack: "p", bytes: 100)
        other.others = [StoreClaims(process: 1, wanted: ["p"], pinned: ["p"])]
        inventory.siblings = ["other": StoreSibling(layout: StoreLayout(root: "/nowhere"), inventory: other)]
        let victims = inventory.reserve(["n": 300], keeping: [])
        #expect(victims.missing == 0, "there is room once the own pack is gone")
        #expect(victims.packs.count == 1 && inventory.packs.isEmpty)
        #expect(inventory.siblings["other"]?.inventory.packs.count == 1)
    }

    @Test func withoutACapacityNothingIsPurged() {
        var inventory = inventory(capacity: nil)
        #expect(inventory.reserve(["n": .max / 2], keeping: []) == .init())
    }

    @Test func severalReservationsAreGrantedTogetherOrNotAtAll() {
        var inventory = inventory(capacity: 400)
        #expect(inventory.reserve(["m": 300, "n": 101], keeping: []).missing == 1)
        #expect(inventory.reserve(["m": 300, "n": 100], keeping: []) == .init(packs: ["a", "c", "b"]))
    }
}

/// A pack of the store's own bundle, by its identifier.
extension PackName: ExpressibleByStringLiteral {
    /// The pack of the store's own bundle with this identifier.
    public init(stringLiteral pack: String) { self.init(pack: pack) }
}
