import Results

/// Writes families and their series in the text format of OpenMetrics 1.0.
struct OpenMetricsWriter {
    typealias Label = (name: String, value: String)

    enum Kind: String { case gauge, counter }

    private var text = ""
    private var name = ""
    /// The series of the family so far; each may occur only once.
    private var series: Set<String> = []

    /// Begins a family; `_total` is appended to a counter's sample names.
    mutating func family(_ name: String, _ kind: Kind, unit: String? = nil, help: String) {
        text += "# TYPE \(name) \(kind.rawValue)\n"
        if let unit { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(help.openMetricsEscaped)\n"
        self.name = kind == .counter ? name + "_total" : name
        series = []
    }

    /// Adds a sample; ignores a series that the family already has.
    mutating func sample(_ labels: [Label], _ value: String) {
        let pairs = labels.map { "\($0.name)=\"\($0.value.openMetricsEscaped)\"" }.joined(separator: ",")
        guard series.insert(pairs).inserted else { return }
        text += name + (pairs.isEmpty ? "" : "{\(pairs)}") + " \(value)\n"
    }

    /// The whole text, with the end line that shows that it is complete.
    func end() -> String { text + "# EOF\n" }
}

/// Gives each cell labels that no other cell has.
struct OpenMetricsLabels {
    /// Label names that are not axes of a matrix.
    private static let own = ["scenario", "profile", "stat", "verdict", "cell"]

    private var taken: Set<[String]> = []

    /// The labels `scenario`, `profile`, one for each axis of the matrix except the profile's, and `cell` if needed to
    /// be unique.
    mutating func labels(of cell: CellResult) -> [OpenMetricsWriter.Label] {
        var labels: [OpenMetricsWriter.Label] = [("scenario", cell.scenario), ("profile", cell.link.profile)]
        var names = Set(Self.own)
        for place in cell.point where !(place.axis == "link.profile" && place.value == cell.link.profile) {
            var (name, number) = (Self.name(place.axis), 1)
            while !names.insert(name).inserted {
                number += 1
                name = "\(Self.name(place.axis))_\(number)"
            }
            labels.append((name, place.value))
        }
        let plain = labels
        var number = 1
        while !taken.insert(labels.map { "\($0.name)=\($0.value)" }).inserted {
            number += 1
            labels = plain + [("cell", "\(number)")]
        }
        return labels
    }

    /// The name of an axis as a label: `link.profile` is `link_profile`.
    private static func name(_ axis: String) -> String {
        let name = String(
            axis.unicodeScalars.map { scalar in
                let isPart = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                return isPart ? Character(scalar) : "_"
            })
        // Names that begin with two underscores are reserved.
        return name.first?.isLetter == true ? name : "axis" + (name.hasPrefix("_") ? "" : "_") + name
    }
}

extension String {
    /// The text on one line, escaped for a label's value or a family's help.
    fileprivate var openMetricsEscaped: String {
        singleLine.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
