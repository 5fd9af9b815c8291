import PackFormat
package import Results
package import Scenarios
import SystemPackage

extension Fingerprint {
    /// The conditions under which a cell is measured.
    package init(of cell: Cell, over link: LinkFacts, _ run: RunFacts, contentDigest: String?, jobs: Jobs) {
        self.init(
            host: run.host, toolVersion: run.toolVersion, link: link,
            profileDigest: Digest.sha256Hex(Array(cell.comparedLink.utf8)),
            scenarioDigest: cell.comparedText.map { Digest.sha256Hex(Array($0.utf8)) },
            contentDigest: contentDigest, client: Self.client(of: cell, run), jobs: jobs)
    }

    /// The name of the client's program, without its folder.
    private static func client(of cell: Cell, _ run: RunFacts) -> String {
        let program = cell.workload.command.map { $0.call.program ?? "/bin/sh" } ?? run.foreignClient
        return program.flatMap { FilePath($0).lastComponent?.string } ?? "headwind-client"
    }
}
