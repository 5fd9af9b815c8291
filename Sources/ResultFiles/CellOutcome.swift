package import LinkModel
package import PackFormat
package import Results
package import SystemPackage

/// The result of a cell, and what is written about it.
package struct CellOutcome: Sendable {
    package var result: CellResult
    package var timeline: [TimelineEvent]
    /// The schedules that its attempts recorded, by file name.
    package var schedules: [String: FaultSchedule]
    /// What was served; nil for another party's host, and if there is no result.
    package var site: Site?
    /// The captures of its attempts, by attempt number.
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

/// What is equal for all cells of a run, and written with each.
package struct RunFacts: Sendable {
    package var toolVersion: String
    package var host = HostFacts.ofThisMachine
    /// The program that takes headwind-client's command line.
    package var client: FilePath
    /// Whether that is not Headwind's own.
    package var isClientForeign: Bool

    package init(toolVersion: String, client: FilePath, isClientForeign: Bool) {
        self.toolVersion = toolVersion
        self.client = client
        self.isClientForeign = isClientForeign
    }

    /// The program that replaces headwind-client; nil if there is none.
    var foreignClient: String? { isClientForeign ? client.string : nil }
}
