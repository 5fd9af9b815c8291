/// How a program in a sandbox has ended.
package struct SandboxExit: Sendable, Equatable {
    package enum Status: Sendable, Equatable {
        case exited(Int32)
        case signaled(Int32)

        /// Reads a status of waitpid(2).
        init(waitStatus: Int32) {
            let signal = waitStatus & 0x7f
            self = signal == 0 ? .exited(waitStatus >> 8 & 0xff) : .signaled(signal)
        }
    }

    package let status: Status
    /// When the sandbox collected its status, in nanoseconds of CLOCK_MONOTONIC.
    package let endedNanoseconds: Int64
}
