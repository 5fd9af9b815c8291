import Results

extension ConductExpectationTests {
    static let purging: [Case] = [
        Case(.purged(["a", "b"]), .pass, "purged in this order: 'a', 'b'") {
            $0.purge(["a", "b"], wanted: ["a", "b"])
        },
        Case(.purged([]), .pass, "nothing was purged") { $0.purge([], wanted: []) },
        Case(.purged([]), .pass, "the client reports no purge") { $0.conduct?.toBePurged = [] },
        Case(.purged(["t", "c"]), .pass, "purged in this order: 'b', 'a', 'c'") {
            $0.purge(["b", "a", "c"], wanted: [])
            $0.conduct?.toBePurged = [.init("t", packs: ["a", "b"]), .init("c", packs: ["c"])]
        },
        Case(.purged(["a", "b"]), .fail, "attempt 1: purged in this order: 'b', 'a'") {
            $0.purge(["b", "a"], wanted: ["a", "b"])
        },
        Case(.purged(["a"]), .fail, "attempt 1: purged in this order: 'a', 'b'") {
            $0.purge(["a", "b"], wanted: ["a"])
        },
        Case(.purged(["a", "b"]), .fail, "attempt 1: purged in this order: 'a'") {
            $0.purge(["a"], wanted: ["a", "b"])
        },
        Case(.purged(["a"]), .fail, "attempt 1: nothing was purged") { $0.purge([], wanted: ["a"]) },
        Case(.purged(["a"]), .fail, "attempt 1: 'a' was purged before the low-space notification was posted") {
            $0.purge(["a"], wanted: ["a"])
            $0.conduct?.purges?[0].isUnannounced = true
        },
        Case(.purged(["a"]), .infrastructure, "not evaluated: the client reported no purge in attempt 1") {
            $0.conduct?.toBePurged = [.init("a", packs: ["a"])]
        },
        Case(.kept(["a"]), .pass, "kept: 'a'") { $0.keep("a", isThere: true, purged: ["b"]) },
        Case(.kept(["a"]), .fail, "attempt 1: 'a' was purged") { $0.keep("a", isThere: true, purged: ["a"]) },
        Case(.kept(["a"]), .fail, "attempt 1: 'a' is not stored") { $0.keep("a", isThere: false, purged: []) },
        Case(
            .kept(["a"]), .infrastructure, "not evaluated: the client's store could not be read in attempt 1"
        ) { $0.keep("a", isThere: nil, purged: []) },
    ]
}

extension AttemptRecord {
    fileprivate mutating func purge(_ packs: [String], wanted: [String]) {
        conduct?.purges = packs.map { .init($0, isInUse: false) }
        conduct?.toBePurged = wanted.map { .init($0, packs: [$0]) }
    }

    fileprivate mutating func keep(_ pack: String, isThere: Bool?, purged: [String]) {
        purge(purged, wanted: [])
        conduct?.toBeKept = [.init(pack, isThere: isThere)]
    }
}
