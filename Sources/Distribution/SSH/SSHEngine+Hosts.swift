import Glibc
import ResultFiles
import SystemPackage
import Wording

extension SSHEngine {
    /// Copies the missing files to a host, and checks that its Headwind has this version.
    func prepare(_ host: String, _ kit: SSHKit, _ script: FilePath) async throws {
        try await ssh(host, "mkdir -p \(far)", to: "make the folder \(far) on \(host)")
        var program = options.headwind
        if program == nil {
            try await copyHeadwind(to: host)
            program = "\(options.folder)/\(copyName)/bin/headwind"
        }
        let version = try await ssh(
            host, "\(program ?? "") --version",
            to: "start headwind on \(host) as '\(program ?? "")'")
        guard version.trimmed.split(separator: " ").contains(Substring(context.plan.toolVersion)) else {
            throw EngineError.failed(
                command: "headwind --version",
                attempted: "use \(host), which needs Headwind \(context.plan.toolVersion)",
                said: version.trimmed.onOneLine)
        }
        try await rsync(["-a", kit.folder.string, "\(host):\(options.folder)/"], to: "copy the scenarios to \(host)")
        try await rsync(["-a", script.string, "\(host):\(far)/"], to: "copy the shards' script to \(host)")
    }

    /// Copies the parts of an installed Headwind, which run from any folder.
    private func copyHeadwind(to host: String) async throws {
        let bin = FilePath(context.plan.command.program).removingLastComponent()
        let root = bin.removingLastComponent()
        guard bin.lastComponent == "bin", root.appending("share/headwind").isFolder else {
            throw EngineError.option(
                "headwind",
                reason:
                    "this Headwind is not an installed one, so it cannot be copied to hosts. Give its path on them, "
                    + "such as headwind=/usr/bin/headwind.")
        }
        let parts = ["bin/headwind", "bin/headwind-client", "libexec/headwind", "share/headwind"]
            .filter { access(root.appending($0).string, F_OK) == 0 }
        try await rsync(
            ["-aR"] + parts.map { "\(root)/./\($0)" } + ["\(host):\(options.folder)/\(copyName)/"],
            to: "copy headwind to \(host)")
    }

    @discardableResult
    func ssh(_ host: String, _ command: String, to attempted: String) async throws -> String {
        try await context.programs.output(
            of: "ssh", options.words + ["--", host, command], to: attempted, hint: Self.hint)
    }

    private func rsync(_ words: [String], to attempted: String) async throws {
        _ = try await context.programs.output(
            of: "rsync", ["-e", options.command] + words, isLong: true, to: attempted, hint: Self.hint)
    }
}
