import Wording

/// Reads `matrix` and `cells`.
struct MatrixDecoder {
    let problems: Problems

    /// Keys of the scenario as a whole, which do not vary between cells.
    private static let fixed = ["scenario", "version", "matrix", "cells"]
    private static let longestPath = 6
    /// Keys that may be overridden at a point.
    private static let overridable = ["budgets", "expect", "attempts", "patience", "deadline", "quarantine"]

    /// The schema of `matrix`, which is read before the cells.
    static let schema = Fields.schema(of: "a matrix: keys of the scenario, and the values that each takes") { fields in
        _ = fields.everyEntry(schema: SweepDecoder.schema)
    }

    /// The schema of `cells`.
    static let cellsSchema = SchemaNode.list(
        "overrides at points of the matrix",
        of: Fields.schema(of: "a cell") { fields in
            let when = Fields.schema(of: "a point of the matrix") { _ = $0.everyEntry() }
            _ = fields.required("when", FieldDecoder<Bool>("a point of the matrix", schema: { when }) { _, _ in nil })
            for key in overridable { _ = fields.node(key, schema: SchemaNode.key(key)) }
        })

    /// The matrix of the scenario with the mapping `root`; without axes if it has none.
    func read(_ root: YAMLNode) -> Matrix {
        var matrix = Matrix()
        if let node = root["matrix"] {
            matrix.axes = FieldDecoder<[Matrix.Axis]>.mapping("a matrix") { axes($0) }.value(of: node, problems) ?? []
        }
        if let node = root["cells"] {
            let decoder = FieldDecoder.list("a list of cells", of: override(matrix.axes))
            matrix.overrides = decoder.value(of: node, problems) ?? []
        }
        return matrix
    }

    private func axes(_ fields: Fields) -> [Matrix.Axis]? {
        var axes: [Matrix.Axis] = []
        var cells = 1
        for entry in fields.everyEntry() {
            guard let values = SweepDecoder(problems: problems).values(of: entry.value) else { continue }
            guard isUsable(entry, values, beside: axes) else { continue }
            axes.append(Matrix.Axis(path: entry.key, mark: entry.keyMark, values: values))
            cells = cells.multipliedReportingOverflow(by: values.count).partialValue
            guard cells <= Scenario.mostCells else {
                return problems.refuse("the matrix makes more than \(Scenario.mostCells) cells", at: entry.keyMark)
            }
        }
        if axes.isEmpty, fields.keys.isEmpty {
            problems.add("the matrix is empty", at: fields.mark, hint: "leave it out")
        }
        return axes
    }

    private func isUsable(_ entry: YAMLNode.Entry, _ values: [YAMLNode], beside axes: [Matrix.Axis]) -> Bool {
        let before = problems.found.count
        let parts = entry.key.split(separator: ".", omittingEmptySubsequences: false)
        if parts.contains("") || parts.count > Self.longestPath || Self.fixed.contains(String(parts[0])) {
            problems.add(
                "'\(entry.key.abbreviated)' cannot vary", at: entry.keyMark,
                hint: "name a key of the scenario, such as link.profile")
        }
        for axis in axes where Self.overlap(axis.path, entry.key) {
            problems.add("'\(entry.key)' and '\(axis.path)' set the same thing", at: entry.keyMark)
        }
        var seen: Set<String> = []
        for value in values where !seen.insert(value.flowText).inserted {
            problems.add("\(value.kind) is listed twice", at: value.mark)
        }
        return problems.found.count == before
    }

    /// Whether the two paths are equal, or one is below the other.
    private static func overlap(_ one: String, _ other: String) -> Bool {
        (one + ".").hasPrefix(other + ".") || (other + ".").hasPrefix(one + ".")
    }

    private func override(_ axes: [Matrix.Axis]) -> FieldDecoder<Matrix.Override> {
        .mapping("a cell") { fields in
            let when = fields.required("when", .mapping("a point of the matrix") { conditions($0, axes) })
            let entries = Self.overridable.compactMap { key in
                fields.node(key).map { YAMLNode.Entry(key: key, keyMark: fields.mark(of: key), value: $0) }
            }
            if entries.isEmpty, fields.keys == ["when"] {
                problems.add(
                    "this cell overrides nothing", at: fields.mark,
                    hint: "add one of \(Self.overridable.joined(separator: ", "))")
            }
            return when.map { Matrix.Override(when: $0, entries: entries) }
        }
    }

    private func conditions(_ fields: Fields, _ axes: [Matrix.Axis]) -> [(path: String, values: [String])]? {
        let conditions = axes.compactMap { axis -> (path: String, values: [String])? in
            guard let node = fields.node(axis.path) else { return nil }
            let wanted = if case .list(let items) = node.content { items } else { [node] }
            let known = axis.values.map(\.flowText)
            for value in wanted where !known.contains(value.flowText) {
                let hint =
                    NearestName.hint(for: value.flowText, in: known)
                    ?? "its values are \(known.joined(separator: ", "))"
                problems.add("\(value.kind) is not a value of \(axis.path) in the matrix", at: value.mark, hint: hint)
            }
            return (axis.path, wanted.map(\.flowText))
        }
        if fields.keys.isEmpty { problems.add("'when' is empty", at: fields.mark, hint: "write 'link.profile: lte'") }
        return conditions
    }
}
