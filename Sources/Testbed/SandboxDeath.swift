/// How the first process of a sandbox has ended.
package struct SandboxDeath: Sendable, Equatable, CustomStringConvertible {
    /// Its exit status: 125 if it failed itself, 128 plus the signal if the sandbox's program was killed.
    package let status: Int32?
    package let signal: Int32?

    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self.signal = signal == 0 ? nil : signal
        status = signal == 0 ? waitStatus >> 8 & 0xff : nil
    }

    package var description: String {
        switch (signal, status) {
        case (let signal?, _): "signal \(signal) ended its first process"
        case (_, let status?) where status > 128: "signal \(status - 128) ended its program headwind-sandbox"
        case (_, let status): "headwind-sandbox ended with status \(status ?? 0)"
        }
    }
}

/// How a program in a sandbox has ended.
package struct SandboxExit: Sendable, Equatable {
    package enum Status: Sendable, Equatable {
        case exited(Int32)
        case signaled(Int32)
    }

    package let status: Status
    /// When the sandbox collected its status, in nanoseconds of CLOCK_MONOTONIC.
    package let endedNanoseconds: Int64
}
