import Documents
package import FoundationEssentials
import Wording

/// The samples of a run that passed, for later comparisons: the contents of a file of `--save-baseline`.
package struct StoredBaseline: Hashable, Sendable, Codable {
    /// The schema that this version writes.
    package static let currentSchema = 1

    /// A cell and the samples of its attempts.
    package struct Cell: Hashable, Sendable, Codable {
        /// The same as ``CellResult/name``.
        package var name: String
        /// RFC 3339, in UTC.
        package var madeAt: String
        package var fingerprint: Fingerprint
        /// The samples of each attempt that counts.
        package var attempts: [Samples]

        private enum CodingKeys: String, SnakeCaseKey { case name, fingerprint, attempts, madeAt }
    }

    package var schema: Int
    package var toolVersion: String
    /// RFC 3339, in UTC.
    package var madeAt: String
    package var cells: [Cell]

    /// Stands for a file that does not exist; no cell can be compared with it.
    package static let missing = StoredBaseline(schema: currentSchema, toolVersion: "", madeAt: "", cells: [])

    private enum CodingKeys: String, SnakeCaseKey {
        case cells
        case schema = "baseline_schema_version"
        case toolVersion, madeAt
    }
}

extension StoredBaseline {
    /// The samples of a run, without cells that have no fingerprint, which older versions wrote.
    package init(_ run: RunResult) {
        schema = Self.currentSchema
        toolVersion = run.toolVersion
        madeAt = run.startedAt
        cells = run.cells.compactMap { cell in
            cell.fingerprint.map {
                Cell(
                    name: cell.name, madeAt: cell.startedAt, fingerprint: $0,
                    attempts: cell.countedAttempts.map(\.samples))
            }
        }
    }

    /// The share of a cell's attempts that may not count because of noise; at this share or above, it is no baseline.
    package static let mostNoise = 0.25

    /// Why a run cannot be a baseline, as a sentence without a full stop; nil if it can.
    package static func obstacle(to run: RunResult) -> String? {
        guard run.isWhole, run.verdict == .pass else {
            return "the run has not passed, and a baseline needs a run that passed"
        }
        for cell in run.cells {
            guard cell.verdict == .pass else { return "the cell '\(cell.name)' has not passed" }
            let noisy = cell.attempts.count { !$0.counts }
            if Double(noisy) >= mostNoise * Double(cell.attempts.count), noisy > 0 {
                return
                    "the machine was too busy: \(noisy) of \(cell.attempts.count) attempts of '\(cell.name)' do not count"
            }
        }
        return nil
    }

    /// The source that a cell with this name and fingerprint is compared with.
    package func source(for name: String, _ fingerprint: Fingerprint) -> Comparison.Source {
        guard let cell = cells.first(where: { $0.name == name }) else {
            let known = cells.isEmpty ? "no cells" : cells.map(\.name).quoted(most: 5)
            let what = self == Self.missing ? "there is no such file" : "it has \(known)"
            return .refused(Finding(.baselineMissing, what))
        }
        let differences = fingerprint.differences(from: cell.fingerprint)
        guard differences.isEmpty else {
            return .refused(Finding(.baselineUnlike, differences.joined(separator: "; ")))
        }
        return .stored(cell.attempts)
    }

    /// Reads the JSON of `jsonText()` and ignores unknown keys.
    ///
    /// Throws if the schema is unknown, the JSON is invalid, a cell has more than ``ShiftEstimate/mostNumbers``
    /// attempts, or two cells have the same name.
    package init(json: Data) throws(ResultError) {
        let decoder = JSONDecoder()
        do {
            let schema = try decoder.decode(Schema.self, from: json).version
            guard schema == Self.currentSchema else { throw ResultError.unknownBaseline(schema) }
            self = try decoder.decode(Self.self, from: json)
        } catch let error as ResultError {
            throw error
        } catch {
            throw .noBaseline(error.decodingReason(in: json))
        }
        let most = ShiftEstimate.mostNumbers
        if let cell = cells.first(where: { $0.attempts.count > most }) {
            throw .noBaseline(
                "the cell '\(cell.name)' has \(cell.attempts.count) attempts, and at most \(most) are allowed")
        }
        guard Set(cells.map(\.name)).count == cells.count else {
            throw .noBaseline("two of its cells have the same name")
        }
    }

    private struct Schema: Decodable {
        var version: Int
        private enum CodingKeys: String, CodingKey { case version = "baseline_schema_version" }
    }
}
