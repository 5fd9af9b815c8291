package import LinkModel
package import PackFormat
package import Results
package import SystemPackage

/// The outcome of a cell, and what is written of it.
package struct CellOutcome: Sendable {
    package var result: CellResult
    package var timeline: [TimelineEvent]
    /// What its attempts met, by the files for it.
    package var schedules: [String: FaultSchedule]
    /// What was served; nil for a host of another party, and where there is no result.
    package var site: Site?
    /// Where the packets of its attempts are, by their numbers.
    package var captures: [Int: FilePath]

    package init(
        result: CellResult, timeline: [TimelineEvent], schedules: [String: FaultSchedule], site: Site? = nil,
        captures: [Int: FilePath] = [:]
    ) {
        self.result = result
        self.timeline = timeline
        self.schedules = schedules
        self.site = site
        self.captures = captures
    }
}

/// What is the same for all cells of a run, and is written beside each.
package struct RunFacts: Sendable {
    package var toolVersion: String
    package var host = HostFacts.ofThisMachine()
    /// The program that takes headwind-client's command line.
    package var client: FilePath
    /// Whether that is somebody's own.
    package var isClientForeign: Bool

    package init(toolVersion: String, client: FilePath, isClientForeign: Bool) {
        self.toolVersion = toolVersion
        self.client = client
        self.isClientForeign = isClientForeign
    }

    /// Somebody's own program in headwind-client's place; nil where there is none.
    var foreignClient: String? { isClientForeign ? client.string : nil }
}
