/// What cells name beside their result: where it is in a folder of results, and what it is called there.
package enum CellFiles {
    /// The folder with the packets of attempts.
    package static let captures = "captures"
    /// The folder with the bundles of failures.
    package static let bundles = "bundles"
    /// The folder with what attempts met.
    package static let schedules = "schedules"

    /// What the file with the packets of an attempt is called, of a cell of that name.
    package static func capture(_ name: String, attempt: Int) -> String { "\(name)-\(attempt).pcapng" }

    /// Where the schedule of an attempt is, from the folder of results.
    package static func schedule(of cell: String, attempt: Int) -> String { "\(schedules)/\(cell)-\(attempt).txt" }
}
