extension Limits {
    /// Why a text changes no limit.
    package struct TextError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Changes one limit as a text says it: `in-use=1000000`, or `pack=none` for no limit.
    ///
    /// Sizes are bytes. Throws for a name that no limit has, and for a value that is no number.
    package mutating func change(_ text: String) throws(TextError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let setting = Setting(rawValue: parts[0]), parts.count == 2 else {
            let names = Setting.allCases.map(\.rawValue).joined(separator: ", ")
            throw TextError(description: "'\(text)' is no name=bytes. Names: \(names).")
        }
        let value = Int64(parts[1])
        guard parts[1] == "none" || value ?? -1 >= 0 else {
            throw TextError(description: "'\(text)': '\(parts[1])' is neither a number of bytes nor 'none'.")
        }
        self[setting] = value
    }
}
