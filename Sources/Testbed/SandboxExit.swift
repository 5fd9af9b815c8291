/// How a program in a sandbox has ended.
package struct SandboxExit: Sendable, Equatable {
    package enum Status: Sendable, Equatable {
        case exited(Int32)
        case signaled(Int32)
    }

    package let status: Status
    /// When the sandbox had waited for it, in nanoseconds of CLOCK_MONOTONIC.
    package let endedNanoseconds: Int64
}
