import FoundationEssentials
import SystemPackage

/// Names of files as they are from anywhere, for a client runs in a folder of its own.
enum WholePaths {
    /// The words of a command, of which those with a `/` that name a file from here have its whole path.
    static func of(_ words: [String]) -> [String] {
        let here = FilePath(FileManager.default.currentDirectoryPath)
        return words.map { word in
            guard word.contains("/"), !word.hasPrefix("/") else { return word }
            let path = here.pushing(FilePath(word)).lexicallyNormalized()
            return FileManager.default.fileExists(atPath: path.string) ? path.string : word
        }
    }
}
