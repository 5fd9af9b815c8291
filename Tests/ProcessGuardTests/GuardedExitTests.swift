import ProcessGuard
import Testing

/// The one status of two programs that ran at the same time.
@Suite struct GuardedExitTests {
    @Test(
        arguments: [
            (.exited(0), .exited(1), .exited(0)), (.exited(1), .exited(0), .exited(0)),
            (.exited(1), .exited(2), .exited(1)), (.exited(0), .signaled(11), .signaled(11)),
            // By their status, these crashed.
            (.exited(0), .exited(139), .exited(139)), (.exited(139), .exited(0), .exited(139)),
            (.exited(1), .exited(139), .exited(139)),
        ] as [(GuardedExit.Status, GuardedExit.Status, GuardedExit.Status)])
    func twoAtOnce(_ first: GuardedExit.Status, _ second: GuardedExit.Status, _ both: GuardedExit.Status) {
        let exits = [first, second].map { GuardedExit(status: $0, timedOut: false, endedNanoseconds: 1) }
        #expect(exits[0].beside(exits[1]) { $0.status == .exited(139) }.status == both)
    }
}
