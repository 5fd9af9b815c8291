import Testing

@testable import ResourceLoading

struct RequestLifecycleTests {
    /// The state after a call, or the misuse that it is, by the rules of the class.
    private static func outcome(
        _ state: RequestLifecycle, _ call: RequestLifecycle.Call
    ) -> Result<RequestLifecycle, RequestMisuse> {
        switch (state, call) {
        case (.idle, .begin): .success(.beginning)
        case (.idle, .conditionallyBegin): .success(.checking)
        case (.idle, .end): .failure(.endedBeforeBegin)
        case (.checking, .end), (.beginning, .end): .failure(.endedBeforeCallback)
        case (.accessing, .end), (.failed, .end): .success(.ended)
        case (.ended, .end): .failure(.endedTwice)
        case (.ended, _): .failure(.begunAfterEnd)
        case (_, _): .failure(.begunTwice)
        }
    }

    @Test(arguments: RequestLifecycle.allCases, RequestLifecycle.Call.allCases)
    func allowsOnlyTheseOrdersOfCalls(state: RequestLifecycle, call: RequestLifecycle.Call) {
        var changed = state
        let result = Result { () throws(RequestMisuse) in
            try changed.take(call)
            return changed
        }
        #expect(result == Self.outcome(state, call))
        if case .failure = result { #expect(changed == state) }
    }

    @Test func aRefusedConditionalCallLeavesTheObjectFresh() {
        var state = RequestLifecycle.idle
        try? state.take(.conditionallyBegin)
        state.answered(isAvailable: false)
        #expect(throws: Never.self) { try state.take(.begin) }
    }

    @Test func aFailedRequestMustBeEnded() {
        var state = RequestLifecycle.idle
        try? state.take(.begin)
        state.calledBack(isAvailable: false)
        #expect(throws: RequestMisuse.begunTwice) { try state.take(.begin) }
        #expect(throws: Never.self) { try state.take(.end) }
    }
}
