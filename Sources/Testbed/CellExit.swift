/// How a program in a cell has ended.
package struct CellExit: Sendable, Equatable {
    package enum Status: Sendable, Equatable {
        case exited(Int32)
        case signaled(Int32)
    }

    package let status: Status
    /// When the cell had waited for it, in nanoseconds of CLOCK_MONOTONIC.
    package let endedNanoseconds: Int64
}
