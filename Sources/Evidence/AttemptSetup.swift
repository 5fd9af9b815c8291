package import Results
package import Scenarios

/// What an attempt was to do, over what link, and by what it is judged.
package struct AttemptSetup: Sendable {
    package var cell: Cell
    /// What the host served; nil for a host of another party.
    package var content: PreparedContent?
    package var number = 1
    /// The seed of the attempt's random decisions.
    package var seed: UInt64 = 0
    /// What findings call headwind-client, or the program in its place.
    package var clientName = "headwind-client"
    /// Whether a program of the user's was in headwind-client's place.
    package var isClientForeign = false
    /// Whether the client was in a sandbox, where the host has a name; without one a command is told an address.
    package var isInSandbox = false
    /// Whether the link let more pass behind a pause than its rate, as ``LinkModel/LinkConditions/bucketBytes(_:)`` says.
    package var hasBuckets = false
    /// What the link showed before the attempts; empty where it was not probed.
    package var calibration: [LinkMeasurement] = []
    package var noiseLimits = NoiseLimits()
    /// Whether all packets of the attempt are asked for; what is kept for a bundle alone may be a part.
    package var wantsCapture = false
    /// Where the schedule of the attempt is written, below the folder of results.
    package var scheduleFile = ""

    /// That of the first attempt of a cell, in no sandbox and of the built-in client, over a link that nothing was probed of.
    package init(_ cell: Cell, content: PreparedContent?) { (self.cell, self.content) = (cell, content) }

    /// What findings call the program that ran.
    var program: String {
        switch cell.workload {
        case .requests: clientName
        case .command(let command): command.arguments { "{\($0.rawValue)}" }.first ?? ""
        }
    }
}
