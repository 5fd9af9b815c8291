import SystemPackage
import Testing

/// `Scripts/install-release`.
@Suite(.sideBySide, .timeLimit(.minutes(1))) struct InstallReleaseTests {
    private static let archive = "v0.2.0/headwind-0.2.0-linux-x86_64.tar.gz"

    private func install(_ fixture: Fixture, _ words: [String], asRoot: Bool = true) async throws -> Fixture.Answer {
        try await fixture.run(
            "Scripts/install-release", words + ["--prefix", fixture.root.appending("prefix").string], asRoot: asRoot)
    }

    /// The version of the release in use, and the folders of all installed releases.
    private func installed(_ fixture: Fixture) async throws -> (told: String, folders: [String]) {
        let prefix = fixture.root.appending("prefix")
        let program = try await fixture.run("../prefix/bin/headwind", ["--version"])
        return (program.output, try await fixture.list(prefix.appending("lib/headwind")))
    }

    @Test(arguments: [
        ["--version", "0.2.0", "--from", "https://releases.test/"], ["--version", "0.2.0", "--from", "releases"],
        ["--file", "releases/\(archive)"], ["--file", "https://releases.test/\(archive)"],
        ["--file", "file://ROOT/releases/\(archive)", "--version", "0.2.0"],
    ])
    func installs(words: [String]) async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease()
            let answer = try await install(fixture, words.map { $0.replacing("ROOT", with: fixture.root.string) })
            #expect(answer.status == 0, "\(answer.errors)")
            #expect(answer.output == "headwind 0.2.0 is installed: \(fixture.root)/prefix/bin/headwind\n")
            let (told, folders) = try await installed(fixture)
            #expect(
                told == "headwind 0.2.0 (0123456789ab)\n" && folders.count == 1
                    && folders.first?.hasPrefix("0.2.0-") == true)
        }
    }

    /// A newer release replaces the earlier one at once; the same one again changes nothing.
    @Test func replacesAnEarlierOne() async throws {
        try await Fixture.with { fixture in
            for (version, count, isNew) in [("0.1.9", 1, true), ("0.2.0", 2, true), ("0.2.0", 2, false)] {
                if isNew { try await fixture.addRelease(version) }
                let answer = try await install(fixture, ["--version", version, "--from", "releases"])
                #expect(answer.status == 0, "\(answer.errors)")
                let (told, folders) = try await installed(fixture)
                #expect(told == "headwind \(version) (0123456789ab)\n" && folders.count == count)
            }
        }
    }

    @Test("without a tool that checks archives, nothing is installed", arguments: ["awk", "find", "tar"])
    func namesAMissingTool(_ tool: String) async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease()
            try fixture.remove(tool)
            let answer = try await install(fixture, ["--version", "0.2.0", "--from", "releases"])
            #expect(answer.status == 69 && answer.errors.contains("\(tool) is missing"), "\(answer.errors)")
            #expect(try await !fixture.list(fixture.root).contains("prefix"))
        }
    }

    @Test(arguments: [
        ("a path out of it", "echo > x; options=(--transform \"s,^x$,$name/../../evil,\"); names+=(x)", "paths"),
        ("a path from the root", "echo > x; options=(--transform \"s,^x$,/$name/evil,\"); names+=(x)", "paths"),
        ("a file beside its folder", "echo > evil; names+=(evil)", "paths"),
        ("a link to the root", "ln -s /etc \"$name/etc\"", "link"),
        ("a link up", "ln -s ../../evil \"$name/etc\"", "link"),
        (
            "a file through a link",
            "ln -s .. \"$name/up\"; echo > x; options=(--transform \"s,^x$,$name/up/evil,\"); names+=(x)", "unpacked"
        ),
        ("a link in its place", "mv \"$name\" real; ln -s real \"$name\"", "link"),
        ("a hard link", "ln \"$name/bin/headwind\" \"$name/again\"", "entries"),
        ("a pipe", "mkfifo \"$name/pipe\"", "entries"),
        ("no program", "rm -r \"$name/bin\"", "bin/headwind"),
    ])
    func refusesAnArchive(with name: String, change: String, why: String) async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease(change: change)
            let answer = try await install(fixture, ["--version", "0.2.0", "--from", "releases"])
            #expect(answer.status == 65 && answer.errors.contains(why), "\(answer.errors)")
            let left = try await fixture.list(fixture.root.appending("prefix/lib/headwind"))
            let programs = try await fixture.list(fixture.root.appending("prefix/bin"))
            #expect(left.isEmpty && programs.isEmpty)
        }
    }

    /// An archive with another hash is never opened.
    @Test(
        arguments: [
            ("HASH  headwind-0.2.0-linux-x86_64.tar.gz", [], 65, "should be"),
            ("HASH  headwind-0.3.0-linux-x86_64.tar.gz", [], 65, "does not name"), ("", [], 65, "does not name"),
            (nil, [], 69, "SHA256SUMS"), (nil, ["--sha256", "HASH"], 65, "should be"),
        ] as [(String?, [String], Int32, String)])
    func refusesAnotherHash(sums: String?, words: [String], status: Int32, why: String) async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease()
            let hash = String(repeating: "0a", count: 32)
            let list = fixture.releases.appending("v0.2.0/SHA256SUMS")
            _ = try await fixture.run("../bin/rm", [list.string])
            if let sums { try fixture.write(sums.replacing("HASH", with: hash) + "\n", to: list) }
            let words = ["--file", "releases/\(Self.archive)"] + words.map { $0.replacing("HASH", with: hash) }
            let answer = try await install(fixture, words)
            #expect(answer.status == status && answer.errors.contains(why), "\(answer.errors)")
            let programs = try await fixture.list(fixture.root.appending("prefix/bin"))
            #expect(programs.isEmpty)
        }
    }

    @Test(
        arguments: [
            ([], 64, "--help"), (["--version"], 64, "--version needs a value"), (["--wrong"], 64, "'--wrong'"),
            (["--version", "0.2.0"], 64, "--from"), (["--version", "../0", "--from", "releases"], 64, "no version"),
            (["--file", "releases/x.tar.gz"], 64, "should be called"),
            (["--file", "releases/\(archive)", "--version", "0.3.0"], 64, "not of version 0.3.0"),
            (["--version", "0.2.0", "--from", "http://releases.test"], 64, "not https"),
            (["--version", "0.2.0", "--from", "http://127.0.0.1:1@releases.test"], 64, "not https"),
            (["--version", "0.2.0", "--from", "ftp://releases.test"], 64, "neither"),
            (["--version", "0.3.0", "--from", "https://releases.test"], 69, "could not fetch"),
            (["--version", "0.3.0", "--from", "releases"], 69, "there is no file"),
        ] as [([String], Int32, String)])
    func wrongArgumentsAreExplained(words: [String], status: Int32, why: String) async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease()
            let answer = try await fixture.run(
                "Scripts/install-release", words, environment: ["HOME": fixture.root.appending("home").string])
            #expect(answer.status == status && answer.errors.contains(why), "\(answer.errors)")
        }
    }

    @Test func leavesAForeignProgram() async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease()
            let words = ["--version", "0.2.0", "--from", "releases"]
            let first = try await install(fixture, words)
            try #require(first.status == 0)
            let program = fixture.root.appending("prefix/bin/headwind")
            _ = try await fixture.run("../bin/rm", [program.string])
            try fixture.write("mine", to: program)
            let answer = try await install(fixture, words)
            #expect(answer.status == 64 && answer.errors.contains("somebody else's"), "\(answer.errors)")
            #expect(try fixture.text(of: program) == "mine")
        }
    }

    @Test func refusesAReleaseWithAnotherVersion() async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease(told: "0.1.0")
            let answer = try await install(fixture, ["--version", "0.2.0", "--from", "releases"])
            #expect(
                answer.status == 65 && answer.errors.contains("has version 'headwind 0.1.0 (0123456789ab)'"),
                "\(answer.errors)")
        }
    }

    @Test(.needsRoot) func reportsAPrefixThatIsNotWritable() async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease()
            _ = try await fixture.run("../bin/mkdir", ["-m", "755", fixture.root.appending("prefix").string])
            let answer = try await install(fixture, ["--version", "0.2.0", "--from", "releases"], asRoot: false)
            #expect(answer.status == 77, "\(answer.errors)")
        }
    }
}
