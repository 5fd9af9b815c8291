package import LinkModel

extension Profile {
    /// The text of a file that reads back as this profile; `traces` are the files of its traces, relative to it.
    ///
    /// A trace without a file is written out.
    package func text(traces: [Direction: String] = [:]) -> String { YAMLNode.made(notation(traces: traces)).text }

    /// The file of a profile that does the same and extends nothing, and its traces by the names that it calls them.
    package var files: (text: String, traces: [String: String]) {
        var (names, texts): ([Direction: String], [String: String]) = ([:], [:])
        for direction in Direction.allCases {
            guard let trace = trace(direction) else { continue }
            let name = "\(name)-\(direction.rawValue).trace"
            names[direction] = name
            texts[name] = trace.milliseconds.map { "\($0)\n" }.joined()
        }
        return (text(traces: names), texts)
    }
}
