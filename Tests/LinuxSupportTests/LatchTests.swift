import Testing

@testable import LinuxSupport

@Suite(.timeLimit(.minutes(1))) struct LatchTests {
    @Test func cancellationEndsOnlyAWaitForAValueThatIsNotSet() async {
        let latch = Latch<Int>()
        let early = Task { await latch.valueUnlessCancelled }
        early.cancel()
        #expect(await early.value == nil)
        let waiting = Task { await latch.valueUnlessCancelled }
        latch.open(7)
        #expect(await waiting.value == 7)
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return await latch.valueUnlessCancelled
        }
        late.cancel()
        #expect(await late.value == 7, "the value is set")
    }
}
