import ArgumentParser

/// Header fields for a host, as `--header` takes them.
enum HeaderOption {
    /// Throws `ValidationError` if one is not a single line with a colon: a line break would begin another field.
    static func check(_ fields: [String]) throws {
        for field in fields where !field.contains(":") || field.contains(where: \.isNewline) {
            throw ValidationError("--header is one line of the form 'Name: value'.")
        }
    }
}
