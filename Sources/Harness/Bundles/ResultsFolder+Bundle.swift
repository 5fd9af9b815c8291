import SystemPackage

extension ResultsFolder {
    /// The folder with the bundles of failures.
    static let bundlesFolder = "bundles"

    /// Writes a bundle, whole or not at all, and answers where it is, relative to the results.
    ///
    /// One of the same name, of an earlier run, is replaced.
    func write(_ draft: BundleDraft) throws -> String {
        let name = "\(Self.bundlesFolder)/\(draft.name)"
        try draft.write(to: path.appending(name))
        return name
    }
}
