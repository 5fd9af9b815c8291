import FoundationEssentials
import Results
import Testing

@Suite("A result that is read in parts")
struct ResultStreamTests {
    private func stream(_ json: Data, by size: Int = 1 << 18) throws -> (run: RunResult, cells: [CellResult]) {
        var stream = ResultStream()
        var cells: [CellResult] = []
        let bytes = Array(json)
        for start in stride(from: 0, to: bytes.count, by: size) {
            Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBufferPointer { block in
                stream.add(block, part: { cell, _ in cell }, { cells.append($0) })
            }
        }
        return (try stream.finish(), cells)
    }

    @Test("it equals the whole result", arguments: [1, 3, 100, 4096, 1 << 20])
    func same(size: Int) throws {
        for run in [try SampleRun.mixed(), SampleRun.run([])] {
            let json = try run.json()
            let (head, cells) = try stream(json, by: size)
            var whole = try RunResult(json: json)
            #expect(cells == whole.cells)
            whole.cells = []
            #expect(head == whole)
        }
    }

    @Test("brackets, quotation marks and keys inside texts do not mislead it")
    func hostile() throws {
        let run = try SampleRun.hostileRun()
        var odd = run
        odd.cells[0].notes = ["\"cells\":[{", "]}\\", "\\\"cells\" : ["]
        odd.toolVersion = "\"cells\": [ {"
        let (head, cells) = try stream(try odd.json(), by: 5)
        #expect(cells == odd.cells && head.toolVersion == odd.toolVersion)
    }

    @Test("a stream refuses the same files as the whole")
    func refused() throws {
        let text = String(decoding: try SampleRun.mixed().json(), as: UTF8.self)
        let broken = [
            text.replacing("\"schema_version\" : 1", with: "\"schema_version\" : 9"),
            text.replacing("\"verdict\" : \"fail\"", with: "\"verdict\" : \"pass\""),
            text.replacing("\"planned_attempts\"", with: "\"planned\""), String(text.dropLast(5)), "", "[]",
            "{\"cells\":[]}",
        ]
        for text in broken {
            #expect(throws: ResultError.self) { try RunResult(json: Data(text.utf8)) }
            #expect(throws: ResultError.self) { try stream(Data(text.utf8)) }
        }
        #expect(throws: ResultError.unknownSchema(9)) { try stream(Data(broken[0].utf8)) }
        let twice = text.replacing("\"command_line\" :", with: "\"cells\" : [], \"command_line\" :")
        #expect(throws: ResultError.self) { try stream(Data(twice.utf8)) }
    }
}
