/// The place of a cell's scenario, for readers that show results next to the files of a repository.
package struct SourcePlace: Hashable, Sendable, Codable {
    /// The file, as the user named it.
    package var file: String
    /// The line of the key `scenario`, from 1.
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }
}
