package import FoundationEssentials

/// Reads a result a few cells at a time, so that only these are in memory with all their numbers.
///
/// It refuses everything that ``RunResult/init(json:)`` refuses, but only at the end.
package struct ResultStream {
    /// The place of a cell's text in the file, and a digest to recognise it.
    package struct Place: Hashable, Sendable {
        package var from: Int64
        package var bytes: Int
        /// The digest of the text, which is valid only in this process.
        private var digest: Int

        init(_ text: Data, from: Int64) { (self.from, bytes, digest) = (from, text.count, Self.digest(of: text)) }

        /// Whether `text` is the text that was read at this place.
        package func isOf(_ text: Data) -> Bool { text.count == bytes && Self.digest(of: text) == digest }

        private static func digest(of text: Data) -> Int {
            var hasher = Hasher()
            text.withUnsafeBytes { hasher.combine(bytes: $0) }
            return hasher.finalize()
        }
    }

    private var splitter = CellSplitter()
    /// The part of each cell that its verdict is checked against.
    private var outlines: [CellResult] = []
    /// Why a cell could not be read; thrown at the end, because the schema's version comes there.
    private var failure: ResultError?

    package init() {}

    /// Takes the next bytes of the file, and passes the result of `part` for each complete cell to `body`, in order.
    ///
    /// Cells that these bytes complete are read, and `part` is called, on all processors in parallel.
    package mutating func add<Part: Sendable>(
        _ bytes: UnsafeBufferPointer<UInt8>, part: @Sendable (CellResult, Place) -> Part, _ body: (Part) -> Void
    ) {
        var complete: [(text: Data, from: Int64)] = []
        splitter.add(bytes) { complete.append(($0, $1)) }
        guard failure == nil else { return }
        do throws(ResultError) {
            // At most this many cells are read in vain behind one that cannot be read.
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
    /// Throws if the text is no result or contradicts itself; then discard the cells that were passed before.
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
    /// The cell without its measurements.
    fileprivate var outline: CellResult {
        var outline = self
        outline.attempts = attempts.filter(\.counts).prefix(1).map { AttemptRecord(number: $0.number, seed: 0) }
        for index in outline.checks.indices { outline.checks[index].evidence = nil }
        return outline
    }
}

/// Splits the elements of the list `cells` from a JSON object.
private struct CellSplitter {
    /// The object without these elements.
    private(set) var rest: [UInt8] = []
    /// How many lists of that name there were.
    private(set) var lists = 0

    private var cell: [UInt8] = []
    /// Where the cell begins in the file, and how many bytes of the file were taken before the current ones.
    private var cellFrom: Int64 = 0
    private var taken: Int64 = 0
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    private var isInList = false
    /// The last string at the object's own level, and whether the key that it turned out to be is `cells`.
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
