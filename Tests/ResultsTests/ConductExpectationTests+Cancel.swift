import Results

extension ConductExpectationTests {
    static let cancels: [Case] = [
        Case(.afterCancelNothing, .pass, "nothing was requested after the cancel") {
            $0.conduct?.requests = [cancelled(1)]
            $0.conduct?.afterCancel = []
        },
        Case(.afterCancelNothing, .fail, "attempt 1: 'p' was requested 2 s after 'a' was called back") {
            $0.conduct?.requests = [cancelled(1)]
            $0.conduct?.afterCancel = [.init("a", pack: "p", seconds: 2)]
        },
        Case(.afterCancelNothing, .pass, "nothing was requested after the cancel") { $0.cancel(lastByte: 2.4) },
        Case(.afterCancelNothing, .fail, "attempt 1: 'p' went on for 3 s after 'a' was called back") {
            $0.cancel(lastByte: 4)
        },
        Case(.afterCancelNothing, .fail, "attempt 1: 'a' was cancelled and not called back") {
            $0.conduct?.requests = [cancelled(nil)]
            $0.conduct?.afterCancel = []
        },
        Case(
            .afterCancelNothing, .infrastructure,
            "not evaluated: requests after the cancel could not be seen in attempt 1"
        ) { $0.conduct?.requests = [cancelled(1)] },
    ]

    private static func cancelled(_ at: Double?) -> Request {
        Request("a", began: 0, calledBack: at, isAvailable: false, isToCancel: true)
    }
}

extension AttemptRecord {
    /// Cancels a request for `p` at 1 s; bytes of the pack arrive until `lastByte`, in seconds.
    fileprivate mutating func cancel(lastByte: Double) {
        conduct?.requests = [
            .init("a", began: 0, calledBack: 1, isAvailable: false, isToCancel: true, packs: ["p"])
        ]
        conduct?.fetches = [.init("p", number: 1, began: 0.5, lastByte: lastByte, ended: lastByte, bytes: 9)]
        conduct?.afterCancel = []
    }
}
