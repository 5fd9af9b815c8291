import Results
import Testing

@testable import Scenarios

/// Expectations of a client's conduct: how they are read, and the problems of wrong ones.
@Suite struct ConductDecoderTests {
    private static let base = "scenario: Test\npacks: ./packs\nlink: 3g\n"
    private static let steps =
        base + "workload: [{request: {id: a, tags: [a], background: true}}, {request: {id: b, tags: [b]}}, "
        + "{cancel: a after 40 %}, {end: b}]\n"
    private static let command = base + "workload: {command: [curl, '{url}'], pack: a}\n"

    @Test(arguments: [
        ("callback: once", ConductExpectation.callbackOnce), ("ends: balanced", .endsBalanced),
        ("notification: low-space", .notification(isPosted: true)),
        ("notification: none", .notification(isPosted: false)), ("stored: [red, a+b]", .stored(["red", "a+b"])),
        ("stored: none", .stored([])),
        ("purged: [red, a+b]", .purged(["red", "a+b"])), ("purged: none", .purged([])), ("kept: [red]", .kept(["red"])),
        ("refetched: 64 KiB", .refetched(mostBytes: 65_536)),
        ("refetched: 0 B", .refetched(mostBytes: 0)), ("retries: 2", .retries(2...2)),
        ("retries: 1-3", .retries(1...3)), ("retries: 0 - 2", .retries(0...2)),
        ("back-off: 500 ms", .backOff(leastSeconds: 0.5)), ("after-cancel: nothing", .afterCancelNothing),
        ("order: [a, b]", .order(["a", "b"])),
    ])
    func isRead(_ text: String, _ expected: ConductExpectation) throws {
        for (rest, requests) in [("", 1), (", error: -1009", 1), (", a: available, b: error -1009", 2)] {
            let cell = try scenario(Self.steps + "expect: {\(text)\(rest)}\n").cells[0]
            #expect(cell.expectations.conduct == [expected])
            #expect(cell.expectations.requests.count == requests)
        }
    }

    @Test func severalExpectationsAreSortedAsInTheirTable() throws {
        let cell = try scenario(
            Self.steps + "expect: {retries: 1, callback: once, stored: none, order: [b, a], a: {error: 3072}}\n"
        ).cells[0]
        #expect(cell.expectations.conduct.map(\.word) == [.callback, .stored, .retries, .order])
        #expect(cell.expectations.requests.map(\.request) == ["a"])
    }

    @Test func aCommandHasAnOutput() throws {
        let cell = try scenario(
            Self.command + "expect: {exit: 28, output: '(?i)timed? out', retries: 0, back-off: 1 s, refetched: 0 B}\n"
        ).cells[0]
        #expect(cell.expectations.conduct.map(\.word) == [.refetched, .retries, .backOff, .output])
        #expect(cell.expectations.conduct.last == .output("(?i)timed? out"))
    }

    @Test func aCommandHasAnOracleAlsoWithAnyStatus() throws {
        let cell = try scenario(Self.command + "expect: {exit: any, oracle: 'cmp a b'}\n").cells[0]
        #expect(cell.expectations.conduct == [.oracle("cmp a b")])
        #expect(cell.expectations.requests == [RequestExpectation(.either())])
        // If any result is allowed, the oracle stays, also in the text.
        let either = try scenario(Self.command + "expect: {exit: 3, retries: 0, oracle: 'cmp a b'}\n").cells[0]
            .expectingEither
        #expect(either.expectations == cell.expectations)
    }

    /// A client that may report an error need not write its files.
    @Test func filesGoIfAnyResultIsAllowed() throws {
        let cell = try scenario(Self.command + "expect: {exit: 0, files: {level: a}}\n").cells[0]
        #expect(cell.expectations.files == [.init(name: "level", content: .pack("a"))])
        let either = cell.expectingEither
        #expect(either.expectations.files.isEmpty)
        let source = try #require(either.source)
        #expect(try scenario(source.text).cells[0].expectations == either.expectations, "\(source.text)")
    }

    @Test func whatNoFaultExcusesStaysIfAnyResultIsAllowed() throws {
        let keys = "callback: once, ends: balanced, after-cancel: nothing, keeps: [other-file]"
        let cell = try scenario(Self.steps + "expect: {\(keys), stored: none, retries: 0}\n").cells[0].expectingEither
        #expect(cell.expectations.conduct.map(\.word) == [.callback, .ends, .afterCancel, .keeps])
        let source = try #require(cell.source)
        let again = try scenario(source.text).cells[0]
        #expect(again.expectations.conduct == cell.expectations.conduct)
        #expect(again.expectations.requests.allSatisfy { $0.expectation == .either() }, "\(source.text)")
    }

    @Test(arguments: ["old-edition", "private-edition", "linked-file", "part"])
    func keepsNeedsACommandWithAPack(_ kind: String) throws {
        let cell = try scenario(Self.command + "expect: {keeps: [\(kind)]}\n").cells[0]
        #expect(cell.expectations.conduct.map(\.word) == [.keeps])
        let found = try problems(inScenario: (Self.steps + "expect: {keeps: [\(kind)]}\n").utf8)
        #expect(found.count == 1 && found[0].hasPrefix("5:10 '\(kind)' is for commands that have a pack"), "\(found)")
    }

    @Test(arguments: [("", Command.Starts.once), (", starts: again", .again), (", starts: side-by-side", .sideBySide)])
    func aCommandMayStartTwice(_ key: String, _ starts: Command.Starts) throws {
        let text = Self.base + "workload: {command: [curl, '{url}'], pack: a\(key)}\n"
        guard case .command(let command) = try scenario(text).cells[0].workload else {
            Issue.record("no command")
            return
        }
        #expect(command.starts == starts)
    }

    static let mistakes = [
        Case(
            "a word", steps + "expect: {calback: once}\n",
            "5:10 there is no key 'calback' in an expectation | did you mean 'callback'?"),
        Case(
            "beside requests", steps + "expect: {a: available, retrys: 1}\n",
            "5:24 there is no key 'retrys' in the expectations | did you mean 'retries'?"),
        Case(
            "callback", steps + "expect: {callback: twice}\n",
            "5:20 'twice' is not 'once' | write one of once"),
        Case(
            "notification", steps + "expect: {notification: low-spce}\n",
            "5:24 'low-spce' is not low-space or none | did you mean 'low-space'?"),
        Case(
            "stored as a text", steps + "expect: {stored: red}\n",
            "5:18 found 'red', expected a list of packs, such as [red, circle], or none | write [a, b]"),
        Case("stored by nothing", steps + "expect: {stored: []}\n", "5:18 this list is empty"),
        Case(
            "no unit", steps + "expect: {refetched: 64}\n", "5:21 '64' is not a size such as 64 MiB or 2 GB"),
        Case(
            "retries by words", steps + "expect: {retries: few}\n",
            "5:19 'few' is not a number of retries, such as 2 or 1-3"),
        Case(
            "retries backwards", steps + "expect: {retries: 3-1}\n",
            "5:19 '3-1' is not a number of retries, such as 2 or 1-3 | write the smaller number first"),
        Case("retries below 0", steps + "expect: {retries: -1}\n", "5:19 '-1' is not a number of retries"),
        Case("retries of three", steps + "expect: {retries: 1-2-3}\n", "5:19 '1-2-3' is not a number of retries"),
        Case(
            "many retries", steps + "expect: {retries: 99999999999999999999}\n",
            "5:19 '99999999999999999999' is not a number of retries"),
        Case("no pause", steps + "expect: {back-off: 0 s}\n", "5:20 '0 s' is out of range: the least is 1 ns"),
        Case(
            "after-cancel", steps + "expect: {after-cancel: nothin}\n",
            "5:24 'nothin' is not 'nothing' | did you mean 'nothing'?"),
        Case(
            "order of none", steps + "expect: {order: [a, c]}\n", "5:21 there is no request 'c' | did you mean 'a'?"),
        Case("order of one", steps + "expect: {order: [a]}\n", "5:17 one request has no order | name two or more"),
        Case("order twice", steps + "expect: {order: [a, a]}\n", "5:17 a request is listed twice"),
        Case(
            "output of the built-in client", steps + "expect: {output: x}\n",
            "5:10 'output' is for commands | the built-in client reports events instead"),
        Case(
            "ends of a command", command + "expect: {ends: balanced, stored: none}\n",
            "5:10 'ends' is for requests of the built-in client | a command has 'exit', 'files', 'output'",
            "5:26 'stored' is for requests of the built-in client"),
        Case(
            "purges of a command", command + "expect: {purged: none, kept: [a]}\n",
            "5:10 'purged' is for requests of the built-in client",
            "5:24 'kept' is for requests of the built-in client"),
        Case("kept of none", steps + "expect: {kept: none}\n", "5:16 "),
        Case(
            "a near miss", steps + "expect: {purgd: [a]}\n",
            "5:10 there is no key 'purgd' in an expectation | did you mean 'purged'?"),
        Case(
            "starts", base + "workload: {command: [curl, '{url}'], pack: a, starts: twice}\n",
            "4:55 'twice' is not a way to start: once, again, side-by-side | write one of once, again, side-by-side"
        ),
        Case("pattern", command + "expect: {output: '(x'}\n", "5:18 '(x' is not a regular expression"),
        Case("empty oracle", command + "expect: {oracle: ' '}\n", "5:18 this command is empty"),
        Case(
            "oracle of the built-in client", steps + "expect: {oracle: x}\n",
            "5:10 'oracle' is for commands | the built-in client reports events instead"),
        Case("status", command + "expect: {exit: some}\n", "5:16 'some' is not an exit status, 0 to 255"),
        Case("empty pattern", command + "expect: {output: ''}\n", "5:18 this pattern is empty"),
        Case(
            "nothing is ended", base + "workload: [{request: {tags: [a]}}]\nexpect: {ends: balanced}\n",
            "5:10 no step ends a request | add a step such as 'end: r1'"),
        Case(
            "nothing is cancelled", base + "workload: [{request: {tags: [a]}}]\nexpect: {after-cancel: nothing}\n",
            "5:10 no step cancels a request | add a step such as 'cancel: r1 after 40 %'"),
        Case(
            "a request of that name", base + "workload: [{request: {id: order, tags: [a]}}]\n",
            "4:27 'order' is not a request's name"),
    ]

    @Test(arguments: mistakes) func isRefused(_ example: Case) throws {
        let found = try problems(inScenario: example.text.utf8)
        #expect(found.count == example.problems.count, "\(found)")
        for (problem, expected) in zip(found, example.problems) { #expect(problem.hasPrefix(expected)) }
    }
}
