package import FoundationEssentials

/// Reads a result some cells at a time, so that one of any length takes the memory of those that come together.
///
/// What ``RunResult/init(json:)`` refuses is refused here too, at the end.
package struct ResultStream {
    /// Where the text of a cell is in the file, and what tells it from others.
    package struct Place: Hashable, Sendable {
        package var from: Int64
        package var bytes: Int
        /// Of the text, and only as long as this process runs.
        private var digest: Int

        init(_ text: Data, from: Int64) { (self.from, bytes, digest) = (from, text.count, Self.digest(of: text)) }

        /// Whether this is the text that was read there.
        package func isOf(_ text: Data) -> Bool { text.count == bytes && Self.digest(of: text) == digest }

        private static func digest(of text: Data) -> Int {
            var hasher = Hasher()
            text.withUnsafeBytes { hasher.combine(bytes: $0) }
            return hasher.finalize()
        }
    }

    private var splitter = CellSplitter()
    /// Of each cell what its verdict is checked by.
    private var outlines: [CellResult] = []
    /// Why a cell could not be read; told at the end, because the schema's version comes there.
    private var failure: ResultError?

    package init() {}

    /// Takes the next bytes of the file, and gives what `part` makes of each cell that is complete, in order.
    ///
    /// Cells that are complete with these bytes are read, and `part` is called, on as many processors as there are.
    package mutating func add<Part: Sendable>(
        _ bytes: UnsafeBufferPointer<UInt8>, part: @Sendable (CellResult) -> Part, _ body: (Part) -> Void
    ) {
        add(bytes, placed: { cell, _ in part(cell) }, body)
    }

    /// The same, where `part` is also told where the cell is in the file.
    package mutating func add<Part: Sendable>(
        _ bytes: UnsafeBufferPointer<UInt8>, placed part: @Sendable (CellResult, Place) -> Part, _ body: (Part) -> Void
    ) {
        var complete: [(text: Data, from: Int64)] = []
        splitter.add(bytes) { complete.append(($0, $1)) }
        guard failure == nil else { return }
        do throws(ResultError) {
            // No more than these are read in vain, behind one that cannot be.
            for stretch in complete.stretches(of: 16) {
                for cell in stretch.concurrentMap({ Self.read($0.text, from: $0.from, part) }) {
                    let (outline, part) = try cell.get()
                    outlines.append(outline)
                    body(part)
                }
            }
        } catch {
            failure = error
        }
    }

    private static func read<Part>(
        _ json: Data, from: Int64, _ part: (CellResult, Place) -> Part
    ) -> Result<(outline: CellResult, part: Part), ResultError> {
        Result { () throws(ResultError) in
            let cell = try RunResult.decode(CellResult.self, json)
            return (cell.outline, part(cell, Place(json, from: from)))
        }
    }

    /// The run without its cells.
    ///
    /// Throws for a text that is no result, or one that contradicts itself; what was given before is then of no use.
    package func finish() throws(ResultError) -> RunResult {
        var run = try RunResult(checkedSchema: Data(splitter.rest))
        if let failure { throw failure }
        guard splitter.lists == 1, run.cells.isEmpty else { throw .unreadable("the key 'cells' appears twice") }
        run.cells = outlines
        if let contradiction = run.contradiction { throw .contradictory(contradiction) }
        run.cells = []
        return run
    }
}

extension CellResult {
    /// The cell without its numbers.
    fileprivate var outline: CellResult {
        var outline = self
        outline.attempts = attempts.filter(\.counts).prefix(1).map { AttemptRecord(number: $0.number, seed: 0) }
        for index in outline.checks.indices { outline.checks[index].evidence = nil }
        return outline
    }
}

/// Takes the elements of the list `cells` out of a JSON object.
private struct CellSplitter {
    /// The object without them.
    private(set) var rest: [UInt8] = []
    /// How many lists of that name there were.
    private(set) var lists = 0

    private var cell: [UInt8] = []
    /// Where the cell begins in the file, and how many bytes of that were taken before these.
    private var cellFrom: Int64 = 0
    private var taken: Int64 = 0
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    private var isInList = false
    /// The last text at the object's own level, and the key that it turned out to be.
    private var text: [UInt8] = []
    private var isKeyCells = false

    private static let key = Array("cells".utf8)

    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, cell take: (Data, Int64) -> Void) {
        defer { taken += Int64(bytes.count) }
        var start = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if isInText {
                inText(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isInText = true
                text.removeAll(keepingCapacity: true)
            case UInt8(ascii: ":") where depth == 1: isKeyCells = text == Self.key
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if depth == 1, isKeyCells, byte == UInt8(ascii: "[") {
                    isInList = true
                    lists += 1
                }
                if isInList, depth == 2 {
                    rest += bytes[start..<index]
                    start = index
                    cellFrom = taken + Int64(index)
                }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if isInList, depth == 2 {
                    cell += bytes[start...index]
                    start = index + 1
                    take(Data(cell), cellFrom)
                    cell.removeAll(keepingCapacity: true)
                } else if depth == 1 {
                    isInList = false
                }
            case UInt8(ascii: ",") where isInList && depth == 2:
                rest += bytes[start..<index]
                start = index + 1
            default: break
            }
        }
        if isInList, depth > 2 { cell += bytes[start...] } else { rest += bytes[start...] }
    }

    private mutating func inText(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInText = false
            return
        }
        if depth == 1, text.count <= Self.key.count { text.append(byte) }
    }
}
