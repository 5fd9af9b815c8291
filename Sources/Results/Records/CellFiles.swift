/// The names and places of the files in a folder of results that cells refer to.
package enum CellFiles {
    /// The folder with the packets of attempts.
    package static let captures = "captures"
    /// The folder with the bundles of failures.
    package static let bundles = "bundles"
    /// The folder with the fault schedules of attempts.
    package static let schedules = "schedules"

    /// The name of the file with the packets of an attempt of the cell `name`.
    package static func capture(_ name: String, attempt: Int) -> String { "\(name)-\(attempt).pcapng" }

    /// The path of an attempt's schedule, relative to the folder of results.
    package static func schedule(of cell: String, attempt: Int) -> String { "\(schedules)/\(cell)-\(attempt).txt" }
}
