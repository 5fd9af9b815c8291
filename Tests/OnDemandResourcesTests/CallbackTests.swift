import Synchronization
import Testing

@testable import ResourceLoading

struct CallbackTests {
    private final class Held: Sendable {}

    /// A called callback releases its closure, even if the callback itself is still referenced.
    @Test func isReleasedWhenCalled() {
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
