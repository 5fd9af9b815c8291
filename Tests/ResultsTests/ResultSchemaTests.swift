import Foundation
import Results
import Testing

@Suite("Schema of results")
struct ResultSchemaTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/"

    @Test("docs/schema has the schema of the records; HEADWIND_RECORD=1 writes it again")
    func file() throws {
        let schema = try RunResult.schema().json + "\n"
        let file = URL(filePath: Self.root + "docs/schema/result.schema.json")
        if ProcessInfo.processInfo.environment["HEADWIND_RECORD"] == "1" { try Data(schema.utf8).write(to: file) }
        #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == schema)
    }

    @Test("has required keys, optional keys and enumerated values")
    func content() throws {
        let schema = try RunResult.schema()
        #expect(schema["properties"]?["schema_version"] == .object(["const": .integer(1)]))
        let cell = try #require(schema["properties"]?["cells"]?["items"])
        #expect(cell["properties"]?["verdict"]?["enum"] == .texts(Verdict.allCases.map(\.rawValue)))
        #expect(cell["properties"]?["bundle"]?["type"] == .texts(["string", "null"]))
        let samples = cell["properties"]?["attempts"]?["items"]?["properties"]?["samples"]?["properties"]
        for metric in Metric.allCases { #expect(samples?[metric.key] != nil) }
        guard case .list(let required)? = cell["required"] else { throw CancellationError() }
        #expect(required.contains(.text("verdict")) && !required.contains(.text("bundle")))
    }
}
