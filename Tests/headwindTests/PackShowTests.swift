import Testing

/// `headwind pack show` and `headwind init` on folders as hosts and apps have them, in a shell.
@Suite("Folders of hosts and apps", .sideBySide, .serialized, .timeLimit(.minutes(3)))
struct PackShowTests {
    private func run(_ line: String) async throws -> ExecRun.Answer {
        let run = try ExecRun()
        defer { run.remove() }
        return try await run.run(
            """
            mkdir -p game/menu game/level && head -c 20000 /dev/urandom > game/menu/a.bin
            head -c 30000 /dev/urandom > game/level/b.bin
            build() { "$HW" pack build game --by-folder --output packs "$@" > built; }
            \(line)
            """)
    }

    @Test func aTagTableIsReadAlone() async throws {
        let answer = try await run(
            "build && cp packs/OnDemandResources.plist lone.plist && \"$HW\" pack show lone.plist")
        #expect(answer.status == 0, "\(answer.errors)")
        let lines = answer.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("TAG") == true, "\(answer.output)")
        #expect(lines.contains { $0.hasPrefix("level  com.example.app.asset-pack-") }, "\(answer.output)")
        #expect(lines.contains("  level/b.bin"), "\(answer.output)")
        let json = try await run("build && \"$HW\" pack show packs/OnDemandResources.plist --format json")
        #expect(json.output.contains("\"tags\"") && json.output.contains("level/b.bin"), "\(json.output)")
        let damaged = try await run("echo x > OnDemandResources.plist; \"$HW\" pack show OnDemandResources.plist")
        #expect(damaged.status == 65 && damaged.errors.contains("the tag table"), "\(damaged.errors)")
        let manifest = try await run("build && \"$HW\" pack show packs/AssetPackManifest.plist")
        #expect(manifest.status == 0 && manifest.output.hasPrefix("TAGS"), "\(manifest.output)")
    }

    /// Without a table, the tags come from the archives or folders themselves.
    @Test(arguments: ["", "--folders"]) func tagsComeFromThePacksWithoutATable(form: String) async throws {
        let answer = try await run("build \(form) && rm packs/OnDemandResources.plist && \"$HW\" pack show packs")
        #expect(answer.status == 0, "\(answer.errors)")
        let tags = answer.output.split(separator: "\n").map { $0.split(separator: " ").first ?? "" }
        #expect(tags.sorted() == ["TAGS", "level", "menu"], "\(answer.output)")
    }

    /// The scenario for an export with https addresses runs unchanged.
    @Test(arguments: ["https://cdn.example.com/x/", "http://cdn.example.com/x/"])
    func aScenarioForAnExportRuns(prefix: String) async throws {
        let answer = try await run(
            """
            build --url-prefix \(prefix) && "$HW" init packs > said &&
                sed -i -e 's/attempts: 5/attempts: 1/' -e 's/median <= .*/max <= 60 s/' scenario.yaml
            grep -c '^tls: true' scenario.yaml
            measured "$HW" run --backend proxy scenario.yaml
            """)
        #expect(answer.status == 0, "\(answer.output)\(answer.errors)")
        #expect(answer.output.hasPrefix(prefix.hasPrefix("https") ? "1\n" : "0\n"), "\(answer.output)")
    }
}
