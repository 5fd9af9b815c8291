extension Fields {
    /// Reads the key `version`, which says what format a file has: a later one than `current` is refused.
    func checkVersion(_ current: Int, of files: String) {
        let decoder = FieldDecoder<Int>.integer("a version of this format", in: 1...9999)
        guard let version = value("version", decoder), version > current else { return }
        refuse("version", "this Headwind reads version \(current) of \(files)", hint: "use a later one")
    }
}
