/// A line from the sandbox to the harness: the answer to a request, or, without `id`, an event.
///
/// Exactly one of its parts is present.
package struct SandboxReply: Codable, Equatable, Sendable {
    /// The sandbox is up.
    ///
    /// The descriptors of the line are the TUNs of client and host, the scratch directory, and the device storage if
    /// there is one. A sandbox with a router has two sockets instead of the TUNs: one shows the client's packets as
    /// they leave the router, the other the host's.
    package struct Ready: Codable, Equatable, Sendable {
        /// The path of the scratch directory inside the sandbox.
        package var scratch: String
        package var storage: String?
        package var notes: [SandboxNote]

        package init(scratch: String, storage: String?, notes: [SandboxNote]) {
            self.scratch = scratch
            self.storage = storage
            self.notes = notes
        }
    }

    /// A socket, whose descriptor comes with the line.
    package struct Socket: Codable, Equatable, Sendable {
        /// The port that it is bound to; absent if it is not bound.
        package var port: UInt16?

        package init(port: UInt16?) {
            self.port = port
        }
    }

    /// A program runs; its process descriptor comes with the line.
    package struct Spawned: Codable, Equatable, Sendable {
        /// Its process number inside the sandbox.
        package var process: Int32

        package init(process: Int32) {
            self.process = process
        }
    }

    /// The request was carried out, and has no result.
    package struct Done: Codable, Equatable, Sendable {
        package init() {}
    }

    /// A program has ended.
    package struct Ended: Codable, Equatable, Sendable {
        /// The `id` of the request that started it.
        package var spawn: Int
        /// Its exit status; absent if a signal ended it.
        package var status: Int32?
        package var signal: Int32?
        /// When the sandbox noticed its end, in nanoseconds of CLOCK_MONOTONIC.
        package var at: Int64

        package init(spawn: Int, status: Int32?, signal: Int32?, at: Int64) {
            self.spawn = spawn
            self.status = status
            self.signal = signal
            self.at = at
        }
    }

    /// The request could not be carried out.
    package struct Failure: Codable, Equatable, Sendable, Error {
        /// The operation that failed: a raw value of ``SandboxStage``.
        package var stage: String
        /// The error number, see errno(3).
        package var code: Int32
        /// The object of the operation; absent if there is none.
        package var detail: String?
    }

    package var v = SandboxProtocol.version
    package var id: Int?
    /// How many descriptors come with the line; absent for none, as in replies of C programs.
    package var descriptors: Int?
    package var ready: Ready?
    package var socket: Socket?
    package var spawned: Spawned?
    package var ended: Ended?
    package var done: Done?
    package var failure: Failure?

    /// A reply with this part; an event if `id` is nil.
    package init<Part>(id: Int?, descriptors: Int? = 0, _ part: WritableKeyPath<Self, Part?>, _ value: Part) {
        (self.id, self.descriptors) = (id, descriptors)
        self[keyPath: part] = value
    }
}
