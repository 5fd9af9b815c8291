import Foundation
import Testing

/// The jobs of docs/how-to/ci.md, tested as far as possible without their CI systems.
@Suite("Jobs of the documentation")
struct CIDocumentationTests {
    private static let text = file("docs/how-to/ci.md")

    private static func file(_ path: String) -> String {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return (try? String(contentsOfFile: root + "/" + path, encoding: .utf8)) ?? ""
    }

    /// The contents of the code blocks of a language.
    private static func blocks(_ kind: String) -> [String] {
        text.components(separatedBy: "```\(kind)\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] + "\n" }
    }

    /// Reads each document, and prints every shell line in it and the paths of its results.
    private static let reader = """
        import json, sys, yaml
        def walk(part, path):
            if isinstance(part, dict):
                for key, value in part.items(): walk(value, path + [str(key)])
            elif isinstance(part, list):
                for value in part: walk(value, path)
            elif path[-1] in ("run", "script"): shell.append(["bash" if path[1] == "runs" else "sh", part])
            else: facts.append(".".join(path) + "=" + str(part))
        shell, facts = [], []
        for text in json.load(sys.stdin):
            for document in yaml.safe_load_all(text): walk(document, [""])
        print(json.dumps({"shell": shell, "facts": facts}))
        """

    private struct Found: Decodable {
        /// Pairs of a shell's name and a script.
        var shell: [[String]]
        var facts: [String]
    }

    @Test("their YAML is valid and names the results; their shell lines have valid syntax")
    func yaml() throws {
        let documents = Self.blocks("yaml") + [Self.file("action.yml"), Self.file("templates/headwind.yml")]
        #expect(documents.count == 7)
        let input = String(decoding: try JSONEncoder().encode(documents), as: UTF8.self)
        let answer = try SecondOpinion.python(importing: "yaml", Self.reader, input: input)
        let found = try JSONDecoder().decode(Found.self, from: Data(answer.utf8))
        for fact in [
            ".headwind.artifacts.reports.junit=headwind-results/junit.xml",
            ".headwind.artifacts.reports.metrics=headwind-results/metrics.txt",
            ".headwind.artifacts.when=always", ".headwind.retry.exit_codes=75",
            ".with.check=python3 fetch.py {url} {output}",
            ".jobs.downloads.steps.with.scenarios=scenarios", ".runs.using=composite",
            ".runs.steps.with.path=${{ steps.run.outputs.results }}",
        ] { #expect(found.facts.contains(fact), "\(fact)") }
        let jenkins = Self.blocks("groovy").flatMap { block in
            block.components(separatedBy: "'''").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        }
        #expect(found.shell.count >= 9 && jenkins.count == 1 && Self.jenkinsLines.count == 5)
        for words in found.shell + (jenkins + Self.jenkinsLines).map({ ["sh", $0] }) {
            let script =
                "import subprocess, sys; sys.exit(subprocess.run(['\(words[0])', '-n'], stdin=sys.stdin).returncode)"
            _ = try SecondOpinion.python(importing: "subprocess", script, input: words[1])
        }
    }

    /// The single-line scripts that Jenkins passes to a shell.
    private static var jenkinsLines: [String] {
        blocks("groovy").flatMap { block in
            block.components(separatedBy: "'''").enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        }.flatMap { text in
            text.matches(of: /sh (?:script: )?'([^']+)'/).map { String($0.output.1) }
        }
    }

    @Test("Jenkins shards divide one run, and the last stage merges them and has the run's status")
    func jenkinsShards() throws {
        let lines = Self.jenkinsLines.filter { $0.contains("shards") }
        #expect(lines.count == 4)
        // Each shard has a workspace with the files of an earlier build. The fourth one fails before it has a result.
        let script = """
            for SHARD in 1 2 3 4; do
                export SHARD
                mkdir -p $SHARD/shards/1; cd $SHARD
                \(lines[0])
                \(lines[1])
                [ $SHARD = 4 ] || mkdir -p shards/$SHARD
                mkdir ../stash-$SHARD; [ ! -e shards/$SHARD ] || mv shards/$SHARD ../stash-$SHARD
                cd ..
            done
            mkdir -p shards/4
            \(lines[2])
            mkdir shards; for SHARD in 1 2 3; do mv stash-$SHARD/* shards; done
            \(lines[3])
            """
        let statuses = ["0", "0", "0", "99", "0", "75", "0", "65", "99"]
        let input = String(decoding: try JSONEncoder().encode([script] + statuses), as: UTF8.self)
        let answer = try SecondOpinion.python(importing: "tempfile", Self.player, input: input)
        let shards = (1...4).map { "--version;run scenarios --shard \($0)/4 --output shards/\($0);" }.joined()
        #expect(answer == "99 \(shards)report merge shards/1 shards/2 shards/3 --output results;\n")
    }

    /// Runs the script with a `headwind` that exits with the given statuses.
    ///
    /// Prints the script's status and all calls.
    private static let player = """
        import json, os, subprocess, sys, tempfile
        script, *endings = json.load(sys.stdin)
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(folder + "/bin")
            program = folder + "/bin/headwind"
            open(program, "w").write(f'#!/bin/sh\\ncd {folder}; echo "$*" >> calls\\nread -r line < endings; sed -i 1d endings; exit "$line"\\n')
            os.chmod(program, 0o755)
            open(folder + "/endings", "w").write("".join(ending + "\\n" for ending in endings))
            open(folder + "/script", "w").write(script)
            path = {"PATH": folder + "/bin:" + os.environ["PATH"]}
            status = subprocess.run(["sh", "script"], cwd=folder, env=path).returncode
            print(status, open(folder + "/calls").read().replace("\\n", ";"))
        """

    @Test(
        "the script tries again only for trouble of the machine, and only once",
        arguments: [(["0"], 0, 1), (["99"], 99, 1), (["75", "0"], 0, 2), (["75", "75", "0"], 75, 2), (["98"], 98, 1)])
    func script(_ endings: [String], _ status: Int, _ calls: Int) throws {
        let script = try #require(Self.blocks("sh").first { $0.hasPrefix("#!/bin/sh") })
        let input = String(decoding: try JSONEncoder().encode([script] + endings), as: UTF8.self)
        let answer = try SecondOpinion.python(importing: "tempfile", Self.player, input: input)
        let call = "run scenarios --output results;"
        #expect(answer == "\(status) \(String(repeating: call, count: calls))\n")
    }
}
