extension Fields {
    /// Reads the key `version`, the version of a file's format; a version above `current` is refused.
    ///
    /// A file without it has the current version.
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
