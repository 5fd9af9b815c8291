import Reports
import Results
import SystemPackage

extension ResultsFolder {
    /// Writes the page for people, with the timelines of the events that were written.
    func writePage(_ run: RunResult) throws {
        try writing(ReportFormat.html.fileName ?? "") { page in
            var report = HTMLReport()
            report.add(run.cells)
            let events = try EventFile(path.appending(ReportFormat.eventsFileName))
            try AtomicFile.write(report.render(run, events: events, charts: ChartLibrary()), to: page)
        }
    }
}
