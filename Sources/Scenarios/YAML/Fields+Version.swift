extension Fields {
    /// Reads the key `version`, which says what format a file has: a later one than `current` is refused.
    ///
    /// Without it a file is of the current version.
    @discardableResult
    func checkVersion(_ current: Int, of files: String) -> Int {
        let decoder = FieldDecoder<Int>.integer("a version of this format", in: 1...9999)
        guard let version = value("version", decoder) else { return current }
        if version > current {
            refuse("version", "this Headwind reads version \(current) of \(files)", hint: "use a later Headwind")
        }
        return version
    }
}
