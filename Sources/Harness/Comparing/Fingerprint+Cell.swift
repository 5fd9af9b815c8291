import PackFormat
import Redaction
import ResultFiles
import Results
import Scenarios
import SystemPackage

extension Cell {
    /// The SHA-256 of its text, in hexadecimal digits; nil for a cell that was not read from text.
    var textDigest: String? { text.map { Digest.sha256Hex(Array($0.utf8)) } }

    /// The cell's name in results and baselines.
    var nameInBaselines: String {
        let point = point.map { "\($0.path)=\(Redaction.text($0.value))" }.joined(separator: ", ")
        return id + (point.isEmpty ? "" : " [\(point)]")
    }
}

extension Fingerprint {
    /// The conditions under which a cell is measured.
    init(
        of cell: Cell, over link: LinkFacts, _ programs: Programs, contentDigest: String?, toolVersion: String,
        jobs: Jobs
    ) {
        self.init(
            host: .ofThisMachine, toolVersion: toolVersion, link: link,
            profileDigest: Digest.sha256Hex(Array(cell.comparedLink.utf8)),
            scenarioDigest: cell.comparedText.map { Digest.sha256Hex(Array($0.utf8)) },
            contentDigest: contentDigest, client: Self.client(of: cell, programs), jobs: jobs)
    }

    /// The name of the client's program, without its folder.
    private static func client(of cell: Cell, _ programs: Programs) -> String {
        let program = cell.workload.command.map { $0.call.program ?? "/bin/sh" } ?? programs.foreignClient
        return program.flatMap { FilePath($0).lastComponent?.string } ?? "headwind-client"
    }
}
