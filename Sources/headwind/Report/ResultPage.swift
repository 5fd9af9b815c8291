import Reports
import Results
import SystemPackage

/// Where a result is: its file, and the folder of the files beside it.
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

/// A page of a result that lies in a folder.
struct ResultPage: Sendable {
    let place: ResultPlace

    init(_ place: ResultPlace) { self.place = place }

    /// The run, without its cells, and the page.
    ///
    /// Throws ``CommandFailure`` where the result cannot be read.
    func make() async throws -> (run: RunResult, bytes: [UInt8]) {
        // Either may take seconds.
        async let indexed = events()
        var report = HTMLReport()
        let run = try ReportShowCommand.stream(place.file, part: { HTMLCell($0) }, { report.add($0) })
        let charts = ChartLibrary()
        if charts == nil {
            Console.note("There are no charts in the page: install libjs-dygraphs for \(ChartLibrary.folder).")
        }
        return (run, report.render(run, events: try await indexed, charts: charts))
    }

    /// nil where there is no file of events.
    private func events() async throws -> EventFile? {
        let file = place.folder.appending(ReportFormat.eventsFileName)
        do {
            return try EventFile(file)
        } catch Errno.noSuchFileOrDirectory {
            return nil
        } catch {
            throw CommandFailure(
                status: .invalidInput,
                description: "Could not read the events '\(file)': \(error). Make them readable, or move them away: "
                    + "without them the page has no timelines.")
        }
    }
}
