import FoundationEssentials
import LinuxSupport
import Reports
import ResultFiles
import Results
import SystemPackage

/// The place of a result: its file, and the folder with its other files.
struct ResultPlace: Sendable {
    let file: FilePath
    let folder: FilePath

    /// Takes the folder of a run, or the result.json in it.
    init(_ path: FilePath) {
        let name = ReportFormat.json.fileName ?? ""
        let isFile = path.extension == "json"
        file = isFile ? path : path.appending(name)
        let parent = path.removingLastComponent()
        folder = isFile ? (parent.isEmpty ? "." : parent) : path
    }
}

/// The HTML page of a result in a folder.
struct ResultPage: Sendable {
    let place: ResultPlace
    /// The report of the check; nil for a run's result.
    private let check: ClientReport?

    /// The page of a result, with the report of its `check`; nil (default) reads that from the file in the same folder.
    init(_ place: ResultPlace, of check: ClientReport? = nil) {
        (self.place, self.check) = (place, check ?? Self.check(beside: place))
    }

    /// 16 MiB: a larger report of a check is not from Headwind.
    private static let mostCheckBytes = 16 << 20

    /// The report of a check in the folder; nil if there is none, or if the file is another program's.
    private static func check(beside place: ResultPlace) -> ClientReport? {
        let file = place.folder.appending(ClientReport.fileName)
        guard let bytes = try? BoundedFile.read(file, most: mostCheckBytes), bytes.count <= mostCheckBytes else {
            return nil
        }
        return try? JSONDecoder().decode(ClientReport.self, from: Data(bytes))
    }

    /// Makes the page; also returns the run, without its cells.
    ///
    /// Throws ``CommandFailure`` if the result cannot be read.
    func make() async throws -> (run: RunResult, bytes: [UInt8]) {
        // Read both at the same time, as each may take seconds.
        async let indexed = events()
        var report = HTMLReport()
        report.check = check
        let run = try ReportShowCommand.stream(place.file, part: { HTMLCell($0) }, { report.add($0) })
        let charts = ChartLibrary.installed
        if charts == nil { Console.note("The page has no charts: install libjs-dygraphs for \(ChartLibrary.folder).") }
        return (run, report.render(run, events: try await indexed, charts: charts))
    }

    /// The events of the run; nil if there is no file of events.
    private func events() async throws -> EventFile? {
        let file = place.folder.appending(ReportFormat.eventsFileName)
        do {
            return try EventFile(file)
        } catch Errno.noSuchFileOrDirectory {
            return nil
        } catch {
            throw CommandFailure(
                .invalidInput,
                "Could not read the events '\(file)': \(error). Make the file readable, or move it away: the page then "
                    + "has no timelines.")
        }
    }
}
