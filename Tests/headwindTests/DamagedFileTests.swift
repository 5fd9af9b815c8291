import Foundation
import Testing

/// How headwind reports damage in files that it wrote: in a sentence with the file and the place.
@Suite("Damaged files", .sideBySide, .serialized, .timeLimit(.minutes(5)))
struct DamagedFileTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        /// The change to the file `f`.
        ///
        /// For a JSON file it is Python that changes `d`.
        var how: String
        /// What the message says of the place.
        var says: String

        init(_ how: String, _ says: String) { (self.how, self.says) = (how, says) }

        var testDescription: String { how }

        /// A shell line that damages `file`.
        func line(_ file: String) -> String {
            how.hasPrefix("d")
                ? "python3 -c \"import json,sys; d=json.load(open('\(file)')); \(how); json.dump(d, open('\(file)','w'), indent=1)\""
                : "f=\(file); \(how)"
        }
    }

    /// Damage that fits every JSON file.
    private static let anyJSON = [
        Damage(": > $f", "it is empty"), Damage("echo hello > $f", "line 1, column 1: it is not JSON from there on"),
        Damage("head -n 5 $f > g; mv g $f", ": it is not JSON from there on"),
        Damage("printf '\\351' >> $f", "line "), Damage("echo '[]' > $f", "an object is expected"),
    ]

    private static let result = [
        Damage("d['cells'][0]['verdict']='maybe'", "cells[0].verdict: this version does not know its value"),
        Damage(
            "d['cells'][0]['attempts'][0]['seed']='x'",
            "cells[0].attempts[0].seed: a seed is a string of decimal digits"),
        Damage(
            "d['cells'][0]['attempts'][0]['number']='x'", "cells[0].attempts[0].number: a whole number is expected"),
        Damage("d['host']=[]", "host: an object is expected"),
        Damage("del d['started_at']", "the key 'started_at' is missing"),
        Damage("d['exit_code']=1.5", "a number in it is too large, or must be whole"),
        Damage("d['schema_version']=99", "schema version is 99"), Damage("d['verdict']=None", "verdict"),
    ]

    private static let baseline = [
        Damage("d['cells'][0]['attempts']=3", "cells[0].attempts: a list is expected"),
        Damage("del d['cells'][0]['made_at']", "cells[0]: the key 'made_at' is missing"),
    ]

    private static let bundle = [
        Damage("d['attempt']='x'", "attempt: a whole number is expected"),
        Damage("del d['failure']", "the key 'failure' is missing"),
        Damage("d['client']=None", "client"),
    ]

    /// SQL statements.
    private static let history = [
        Damage("UPDATE fingerprint SET json = '{'", "fingerprint.json: line 1, column 2: it is not JSON from there on"),
        Damage("UPDATE fingerprint SET json = '[1]'", "fingerprint.json: an object is expected"),
        Damage("UPDATE sample SET value = 'text'", "the column sample.value has a value of another type"),
        Damage("UPDATE cell SET name = x'00ff'", "cell.name"), Damage("DROP TABLE sample", "no such table: sample"),
        Damage("ALTER TABLE cell RENAME COLUMN name TO label", "no such column: cell.name"),
        Damage("UPDATE run SET started_at = x'80'", "run.started_at"),
    ]

    @Test func damageIsReportedInASentenceWithThePlace() async throws {
        let run = try ExecRun()
        defer { run.remove() }
        var script = Self.files
        var expected: [(name: String, file: String, says: String)] = []
        func say(_ damage: Damage, _ line: String, _ file: String, _ command: String) {
            let name = "said\(expected.count)"
            expected.append((name, file, damage.says))
            script +=
                "rm -rf w; cp -r whole w\n\(line)\n\(command) > \(name).out 2> \(name).err; echo $? > \(name).status\n"
        }
        for damage in Self.anyJSON + Self.result {
            for command in ["show w/r", "html w/r", "merge w/r --output w/m", "compare whole/r w/r"] {
                say(damage, damage.line("w/r/result.json"), "w/r/result.json", "\"$HW\" report \(command)")
            }
        }
        for damage in Self.anyJSON + Self.baseline {
            say(damage, damage.line("w/b.json"), "w/b.json", "\"$HW\" run gate.yaml --baseline w/b.json")
        }
        for damage in Self.anyJSON + Self.bundle {
            let file = "w/r/bundles/bad/bundle.json"
            say(damage, damage.line(file), file, "\"$HW\" replay w/r/bundles/bad")
        }
        for damage in Self.history {
            let line =
                "python3 -c 'import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit()' w/h \"\(damage.how)\""
            for format in ["text", "csv"] {
                say(damage, line, "w/h", "\"$HW\" report history --history w/h --format \(format)")
            }
        }
        for (how, says) in [
            ("head -c 9000 w/h > g; mv g w/h", "it is damaged"), ("echo text > w/h", "a file of another kind"),
        ] {
            say(Damage(how, says), how, "w/h", "\"$HW\" report history --history w/h")
        }
        let answer = try await run.run(script)
        #expect(answer.errors.isEmpty, "\(answer.errors)")
        for one in expected {
            let (said, status) = (run.text("\(one.name).err"), run.text("\(one.name).status"))
            let comment: Comment = "\(one): \(status)\(said)"
            #expect(status == "65\n" && said.contains(one.file) && said.contains(one.says), comment)
            #expect(said.split(separator: "\n").count == 1 && said.utf8.count < 700, comment)
            #expect(!Self.raw.contains { said.contains($0) }, comment)
        }
    }

    /// Words of Swift, Foundation and SQL that no message may contain.
    private static let raw = [
        "typeMismatch", "keyNotFound", "valueNotFound", "dataCorrupted", "CodingKeys", "DecodingError", "Context(",
        "Optional(",
        "debugDescription", "couldn’t be read", "correct format", "valid JSON", "Expected to decode",
        "Cannot initialize",
        "Dictionary<", "Fatal error", "SELECT", "Swift.", "NSCocoa",
    ]

    private static let files = #"""
        unset HEADWIND_HISTORY
        mkdir packs whole && head -c 50000 /dev/urandom > packs/a.bin
        printf '%s\n' 'scenario: bad' 'packs: packs/' 'link: {downlink: {rate: 8 Mbit/s, delay: 5 ms}}' \
            'workload: [{request: {tags: [a.bin]}}]' > good.yaml
        sed 's/bad/gate/; $a attempts: 5\nbudgets: {time_to_available: median <= 1.5 x baseline}' good.yaml > gate.yaml
        sed '$a budgets: {requests: max <= 0}' good.yaml > bad.yaml
        measured "$HW" run bad.yaml --backend proxy --output whole/r --history whole/h > run.out 2>&1
        # Its number is the attempt's, and one that was disturbed counts as well.
        mv -T whole/r/bundles/bad-* whole/r/bundles/bad
        measured "$HW" run good.yaml --backend proxy --save-baseline whole/b.json > run.out 2>&1

        """#
}
