import Reports
import Results
import SystemPackage

extension ResultsFolder {
    /// Writes the page for people, with the timelines of the events that were written.
    func writePage(_ run: RunResult) throws {
        let page = path.appending(ReportFormat.html.fileName ?? "")
        do {
            var report = HTMLReport()
            report.add(run.cells)
            let events = try EventFile(path.appending(ReportFormat.eventsFileName))
            try WholeFile.write(report.render(run, events: events, charts: ChartLibrary()), to: page)
        } catch {
            throw HarnessError(unwritten: page, error)
        }
    }
}
