import Results
import Testing

@testable import Scenarios

/// Conditional requests: how they are read, and what may be expected of them.
@Suite struct AnswerRuleTests {
    private static let base = "scenario: Test\ncatalog: adventure\nlink: 3g\n"
    private static let asked = "{request: {id: a, tags: [menu], conditional: true}}"

    @Test(arguments: [
        ("[\(asked)]", "{a: here}", [RequestExpectation(.answer(isHere: true), request: "a")]),
        ("[\(asked)]", "not-here", [RequestExpectation(.answer(isHere: false))]),
        (
            "[\(asked), {begin: a}]", "{a: not-here}",
            [
                RequestExpectation(.answer(isHere: false), request: "a"),
                RequestExpectation(.available(), request: "a"),
            ]
        ),
        (
            "[\(asked), {begin: a}]", "{a: [not-here, error -1009]}",
            [
                RequestExpectation(.answer(isHere: false), request: "a"),
                RequestExpectation(.error(.init(code: -1009)), request: "a"),
            ]
        ),
        (
            "[\(asked), {request: {tags: [menu]}}]", "not-here",
            [RequestExpectation(.answer(isHere: false)), RequestExpectation(.available())]
        ),
    ])
    func isExpected(steps: String, expect: String, expectations: [RequestExpectation]) throws {
        let text = Self.base + "workload: \(steps)\nexpect: \(expect)\nbudgets: {requests: max <= 9}\n"
        #expect(try scenario(text).cells[0].expectations.requests == expectations)
    }

    @Test func theStepsAreRead() throws {
        let text = Self.base + "workload: [\(Self.asked), {begin: a}, {end: a}]\nexpect: {a: not-here}\n"
        let workload = try scenario(text).cells[0].workload
        let request = Workload.Request(
            id: "a", tags: ["menu"], priority: .value(0.5), isBackground: false, isConditional: true)
        #expect(workload.steps == [.request(request), .begin("a"), .end("a")])
        #expect(workload.namesOfBegun == ["a"])
        #expect(Workload.requests([.request(request)]).namesOfBegun.isEmpty)
    }

    @Test(arguments: [
        ("[\(asked)]", "available", "'a' is conditional, but 'expect' has no answer for it"),
        ("[\(asked), {begin: a}]", "{a: available}", "'a' is conditional, but 'expect' has no answer for it"),
        ("[{request: {id: a, tags: [menu]}}]", "{a: here}", "'a' is not conditional"),
        ("[{request: {id: a, tags: [menu]}}]", "not-here", "'a' is not conditional"),
        ("[{request: {id: a, tags: [menu]}}, {begin: a}]", "available", "'a' has already begun before this step"),
        ("[\(asked), {begin: a}, {begin: a}]", "{a: not-here}", "'a' has already begun before this step"),
        ("[\(asked), {begin: b}]", "{a: not-here}", "no earlier step begins a request 'b'"),
        (
            "[{request: {id: a, tags: [menu], conditional: true, background: true}}]", "{a: here}",
            "a conditional request is answered at once"
        ),
    ])
    func isRefused(steps: String, expect: String, problem: String) throws {
        let text = Self.base + "workload: \(steps)\nexpect: \(expect)\n"
        let found = try problems(inScenario: text.utf8)
        #expect(found.contains { "\($0)".contains(problem) }, "\(found)")
    }
}
