import Foundation
import Testing

/// A third-party validator applies the schemas of docs/schema, which other tests keep equal to the code.
@Suite("Schemas of scenarios and results")
struct SchemaTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// Reads a schema and documents as YAML, and prints each document's faults.
    private static let reader = """
        import json, sys, yaml
        from jsonschema import Draft202012Validator
        request = json.load(sys.stdin)
        schema = json.load(open(request["schema"]))
        Draft202012Validator.check_schema(schema)
        def strict(part):
            if isinstance(part, list): return [strict(item) for item in part]
            if not isinstance(part, dict): return part
            result = {key: strict(value) for key, value in part.items()}
            if "properties" in part: result.setdefault("additionalProperties", False)
            return result
        validator = Draft202012Validator(strict(schema) if request["strict"] else schema)
        for text in request["documents"]:
            document = json.loads(json.dumps(yaml.safe_load(text), default=str))
            errors = [error.json_path + ": " + error.message[:200] for error in validator.iter_errors(document)]
            print(" | ".join(errors).replace("\\n", " ") or "valid")
        """

    private struct Request: Encodable {
        var schema: String
        var strict: Bool
        var documents: [String]
    }

    private func answers(_ schema: String, _ documents: [String], strict: Bool = false) throws -> [String] {
        let path = "\(Self.root)/docs/schema/\(schema).schema.json"
        let request = try JSONEncoder().encode(Request(schema: path, strict: strict, documents: documents))
        let answer = try SecondOpinion.python(
            importing: "jsonschema, yaml", Self.reader, input: String(decoding: request, as: UTF8.self))
        return answer.split(separator: "\n").map(String.init)
    }

    private func files(below folder: String, _ ending: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: "\(Self.root)/\(folder)").sorted()
        return try names.filter { $0.hasSuffix(ending) }.map {
            String(decoding: try Data(contentsOf: URL(filePath: "\(Self.root)/\(folder)/\($0)")), as: UTF8.self)
        }
    }

    @Test("every bundled scenario is valid by the schema")
    func bundled() throws {
        let scenarios = try files(below: "scenarios", ".yaml")
        #expect(scenarios.count > 80)
        let answers = try answers("scenario", scenarios)
        #expect(
            answers.count == scenarios.count && answers.allSatisfy { $0 == "valid" },
            "\(answers.filter { $0 != "valid" })")
    }

    @Test("every golden result is valid, and has no key that the schema lacks")
    func results() throws {
        let results = try files(below: "Tests/ReportsTests/Golden", ".json")
        #expect(!results.isEmpty)
        #expect(try answers("result", results, strict: true).allSatisfy { $0 == "valid" })
    }

    @Test(
        "mistakes are found: an unknown key, a value of another type, a missing value, a meaningless text")
    func slips() throws {
        let good = "scenario: a, catalog: shapes, link: 3g, workload: [{request: {tags: [a]}}]"
        let slips = [
            "\(good), atempts: 3", "\(good), attempts: many", "\(good), attempts: 0", "\(good), deadline: 60",
            "\(good), device: {radio: fm}", "scenario: a, link: 3g, workload: [install]",
            "\(good), faults: [{pack: a, cutt: {at: 40 %}}]", "\(good), faults: [{pack: a, cut: {at: 40}}]",
            "\(good), faults: [{pack: a, cut: {at: 4 apples}}]", "\(good), faults: [{pack: a, drip: 16}]",
            "\(good), faults: [{pack: a, try: first, status: 503}]", "\(good), faults: [{pack: a, wrong-length: ten}]",
            "\(good), faults: [{after: 40 %, link: offline}]", "\(good), faults: [{after: later, link: offline}]",
            "\(good), faults: [{after: 5, link: offline}]",
            "\(good), faults: [{after: 3 s, link: ofline}]", "\(good), faults: [{after: 3 s, link: 3gg}]",
            "scenario: a, catalog: shapes, link: 3gg, workload: [{request: {tags: [a]}}]",
            "scenario: a, catalog: shapes, link: {profile: 3gg}, workload: [{request: {tags: [a]}}]",
            "scenario: a, catalog: shapes, link: {downlink: {rate: 3 kbits}}, workload: [{request: {tags: [a]}}]",
            "scenario: a, catalog: shapes, link: {downlink: {rate: 3 kB/s}}, workload: [{request: {tags: [a]}}]",
            "scenario: a, catalog: shapes, link: {rtt: 100 mss}, workload: [{request: {tags: [a]}}]",
            "scenario: a, catalog: shapes, link: 3g, workload: [{request: {tags: [a], priority: high}}]",
            "scenario: a, catalog: shapes, link: 3g, workload: [{request: {tags: [a], priority: 2}}]",
            "scenario: a, catalog: shapes, link: 3g, workload: [{request: {tags: [a]}}, {cancel: r1}]",
            "scenario: a, catalog: shapes, link: 3g, workload: {command: [curl, '{uri}'], pack: a}",
            "scenario: a, catalog: shapes, link: 3g, workload: {command: 'curl {uri}', pack: a}",
            "\(good), budgets: {time_to_avialable: max <= 1 s}", "\(good), budgets: {time_to_available: max <= 1}",
            "\(good), budgets: {time_to_available: maximum <= 1 s}", "\(good), budgets: {time_to_available: 1 s}",
            "\(good), budgets: {time_to_available: max = 1 s}", "\(good), budgets: {time_to_available: max == 1 s}",
            "\(good), budgets: {time_to_available: max <= 1 MB}", "\(good), budgets: {requests: max <= 1 MB}",
            "\(good), budgets: {time_to_available: max <= 2 x perfect}",
            "\(good), budgets: {requests: max <= 2 x ideal}",
            "\(good), budgets: {progress: monotone}", "\(good), budgets: {progress: honest within 2}",
            "\(good), expect: availble", "\(good), expect: error -1009 in 3 s", "\(good), expect: error network x y",
            "\(good), expect: available within 30", "\(good), expect: {error: -1009 s}",
            "\(good), expect: {error: {class: netwrk}}", "\(good), expect: {retries: few}",
            "\(good), cells: [{when: {a: b}, budgets: {request: max <= 1}}]",
        ]
        let sound = [
            good, "\(good), expect: {r1: available, retries: 2}", "\(good), expect: {retries: 1 - 3}",
            "\(good), cells: [{when: {a: b}, budgets: {requests: max <= 1}}]", "\(good), expect: no callback",
            "\(good), expect: error MyDomain 7 within 1.5min", "\(good), expect: {error: any}",
            "\(good), budgets: {time_to_available: 'median<=1.2x ideal+12s', requests: == 3}",
            "\(good), budgets: {time_to_available: [p95 <= 2 s, max < 0], progress: [ends at 1, honest within 2%]}",
            "\(good), faults: [{pack: a, cut: {at: 40%}}, {after: progress + 3, link: ./mine.yaml, until: 1 MiB of a}]",
            "scenario: a, catalog: shapes, link: {rtt: .5 s}, workload: {command: ['', '{url}${url}{{uri}} {Url}'], pack: a}",
        ]
        let valid = try answers("scenario", (slips + sound).map { "{\($0)}" }).map { $0 == "valid" }
        #expect(zip(slips, valid).filter(\.1).map(\.0) == [], "not found")
        #expect(zip(sound, valid.dropFirst(slips.count)).filter { !$0.1 }.map(\.0) == [], "found, and no slip")
        #expect(valid.count == slips.count + sound.count)
    }
}
