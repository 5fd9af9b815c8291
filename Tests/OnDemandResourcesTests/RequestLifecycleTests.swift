import Testing

@testable import OnDemandResources

struct RequestLifecycleTests {
    @Test(arguments: RequestLifecycle.allCases, RequestLifecycle.Call.allCases)
    func onlyTheseCallsAreInOrder(state: RequestLifecycle, call: RequestLifecycle.Call) {
        let next: RequestLifecycle? =
            switch (state, call) {
            case (.idle, .begin): .beginning
            case (.idle, .conditionallyBegin): .checking
            case (.accessing, .end), (.failed, .end): .ended
            default: nil
            }
        var changed = state
        let fault = changed.take(call)
        #expect((fault == nil) == (next != nil))
        #expect(changed == next ?? state)
    }

    @Test func aRefusedConditionalCallLeavesTheObjectFresh() {
        var state = RequestLifecycle.idle
        _ = state.take(.conditionallyBegin)
        state.answered(isAvailable: false)
        #expect(state.take(.begin) == nil)
    }
}
