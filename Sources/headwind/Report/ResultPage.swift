import FoundationEssentials
import LinuxSupport
import Reports
import ResultFiles
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
    /// What a client was asked; nil for a run's result.
    private let check: ClientReport?

    /// The page of a result, and of the `check` that it is of: where that is not given, it is read from the file beside.
    init(_ place: ResultPlace, of check: ClientReport? = nil) {
        (self.place, self.check) = (place, check ?? Self.check(beside: place))
    }

    /// A larger report of a check is none of Headwind's.
    private static let mostCheckBytes = 16 << 20

    /// nil where there is none, and for another program's file of that name.
    private static func check(beside place: ResultPlace) -> ClientReport? {
        let file = place.folder.appending(ClientReport.fileName)
        guard let bytes = try? BoundedFile.read(file, most: mostCheckBytes), bytes.count <= mostCheckBytes else {
            return nil
        }
        return try? JSONDecoder().decode(ClientReport.self, from: Data(bytes))
    }

    /// The run, without its cells, and the page.
    ///
    /// Throws ``CommandFailure`` where the result cannot be read.
    func make() async throws -> (run: RunResult, bytes: [UInt8]) {
        // Either may take seconds.
        async let indexed = events()
        var report = HTMLReport()
        report.check = check
        let run = try ReportShowCommand.stream(place.file, part: { HTMLCell($0) }, { report.add($0) })
        let charts = ChartLibrary.installed
        if charts == nil {
            Console.note("The page has no charts: install libjs-dygraphs for \(ChartLibrary.folder).")
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
                description:
                    "Could not read the events '\(file)': \(error). Make the file readable, or move it away: the "
                    + "page then has no timelines."
            )
        }
    }
}
