package import Results
package import Scenarios

/// The task of an attempt, its link, and what it is judged by.
package struct AttemptSetup: Sendable {
    package var cell: Cell
    /// What the host served; nil for another party's host.
    package var content: PreparedContent?
    package var number = 1
    /// The seed of the attempt's random decisions.
    package var seed: UInt64 = 0
    /// The name in findings of headwind-client, or of the user's program that replaces it.
    package var clientName = "headwind-client"
    /// Whether a program of the user's replaced headwind-client.
    package var isClientForeign = false
    /// Whether the client was in a sandbox, where the host has a name; outside one, a command gets an address.
    package var isInSandbox = false
    /// Whether the link let a burst above its rate pass after a pause, as ``LinkModel/LinkConditions/bucketBytes(_:)``
    /// says.
    package var hasBuckets = false
    /// The measurements of the link before the attempts; empty if it was not probed.
    package var calibration: [LinkMeasurement] = []
    package var noiseLimits = NoiseLimits()
    /// Whether a capture of all packets is requested; a capture kept only for a bundle may be incomplete.
    package var wantsCapture = false
    /// The path of the attempt's schedule, relative to the folder of results.
    package var scheduleFile = ""

    /// The first attempt of a cell, with the built-in client outside a sandbox, over a link that was not probed.
    package init(_ cell: Cell, content: PreparedContent?) { (self.cell, self.content) = (cell, content) }

    /// The name in findings of the program that ran.
    var program: String {
        guard let command = cell.workload.command else { return clientName }
        return command.words.first ?? ""
    }
}
