import Results
import Testing

@testable import Harness

/// The checks of a store in the built-in layout: each damage is found, and nothing else is blamed.
@Suite("Checks of the store", .sideBySide, .serialized, .timeLimit(.minutes(3)))
struct StoreCheckTests {
    /// The built-in client, with a script that changes its store afterwards.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// A script in the folder of the stored packs; `$p` is the first pack, `$f` a file in it.
        var script: String
        /// A part of the problem that is found; nil if none is.
        var problem: String?
        /// The verdict of `stored: [red]`.
        var verdict = Verdict.pass

        init(_ name: String, _ script: String, _ problem: String? = nil, _ verdict: Verdict? = nil) {
            (testDescription, self.script, self.problem) = (name, script, problem)
            self.verdict = verdict ?? (problem == nil ? .pass : .fail)
        }
    }

    static let cases = [
        Case("nothing", "true"),
        Case("a file that is shorter", "truncate -s 100 $f", "at 100, or ends there"),
        Case("a file that is longer", "echo x >> $f", " bytes, and not "),
        Case(
            "a byte that is another", "printf '\\377\\376\\375' | dd of=$f bs=1 seek=9 conv=notrunc",
            "pack at "),
        Case("a file that is gone", "rm $f", "does not exist"),
        Case("an empty folder", "rm -r $p; mkdir $p", "is an empty folder"),
        Case("a file that leads out", "rm $f; ln -s /etc/passwd $f", "leads out of its folder"),
        Case("a pipe", "rm $f; mkfifo $f", "is a pipe, not a regular file"),
        Case(
            "a folder that leads out", "mv $p /tmp/headwind-gone-$$; ln -s /usr $p; rm -r /tmp/headwind-gone-$$",
            "leads out of its folder"),
        Case("a link to itself", "rm -r $p; ln -s $p $p", "leads nowhere"),
        Case("files of one's own beside", "touch $p/.note $p/extra; mkdir .hidden"),
        Case("a pack that nobody knows", "mkdir other", nil, .fail),
        Case("another layout", "mkdir .v1; mv $p/* .v1/; mv .v1 $p/v1", nil, .infrastructure),
        Case("another layout as a whole", "cd ..; mv packs content", nil, .infrastructure),
        Case("a name that is not text", "touch \"$(printf 'a\\377')\"", nil, .infrastructure),
    ]

    @Test(arguments: cases) func isSeen(_ test: Case) async throws {
        let bench = try Bench()
        var programs = Bench.programs
        programs.client = try bench.script(
            "client",
            """
            '\(Bench.programs.client)' "$@"; status=$?
            while [ "$1" != --store ]; do shift; done
            cd "$2/packs" || exit 3
            p=$(ls | head -n 1)
            f=$(find $p -type f ! -name '.*' ! -name Info.plist | head -n 1)
            { \(test.script); } >&2
            exit $status
            """)
        let result = try await bench.run(
            "catalog: shapes\nlink: {downlink: {rate: 200 Mbit/s}}\nworkload: [{request: {tags: [red]}}]\nexpect: {stored: [red]}",
            programs: programs)
        let cell = try #require(result.cells.first)
        let wrong = cell.attempts[0].findings.filter { $0.attribution == .contentWrong }
        #expect(wrong.isEmpty == (test.problem == nil), "\(result.text)")
        if let problem = test.problem {
            #expect(wrong.first?.detail.contains(problem) == true, "\(wrong)")
            #expect(cell.exitCode == 99)
        }
        #expect(cell.checks.last?.verdict == test.verdict, "\(result.text)")
    }

    @Test func aPlainFileIsComparedToo() async throws {
        let bench = try Bench(packs: ["a.bin": 10_000, "b.bin": 20_000])
        let text = "workload: [{request: {tags: [a.bin]}}, {end: r1}]\nexpect: {stored: [a.bin], ends: balanced}"
        let good = try await bench.run(text)
        #expect(good.exitCode == 0, "\(good.text)")
        var programs = Bench.programs
        programs.client = try bench.script(
            "client",
            """
            '\(Bench.programs.client)' "$@"
            while [ "$1" != --store ]; do shift; done
            cd "$2/packs" && for f in */a.bin; do echo more >> $f; done
            """)
        let torn = try await bench.run(text, programs: programs)
        #expect(torn.exitCode == 99 && torn.attributions == [.contentWrong], "\(torn.text)")
        #expect(torn.cells[0].attempts[0].conduct?.stored?.first?.wrongByte == 10_000)
        let none = try await bench.run("workload: [{request: {tags: [a.bin]}}]\nexpect: {stored: none}")
        #expect(none.exitCode == 99 && none.text.contains("'a.bin' is stored and should not be"), "\(none.text)")
    }
}
