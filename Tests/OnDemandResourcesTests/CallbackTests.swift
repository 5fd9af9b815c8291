import Synchronization
import Testing

@testable import ResourceLoading

struct CallbackTests {
    private final class Held: Sendable {}

    /// Whoever still refers to a callback that was called holds nothing of the app's by it.
    @Test func isLetGoWhereItIsCalled() {
        var held: Held? = Held()
        weak let witness = held
        let calls = Mutex(0)
        let callback = Callback { [held] error in
            #expect(error == .cancelled)
            _ = held
            calls.withLock { $0 += 1 }
        }
        held = nil
        #expect(witness != nil)
        callback.call(.cancelled)
        #expect(witness == nil)
        callback.call(.cancelled)
        #expect(calls.withLock { $0 } == 1)
    }
}
