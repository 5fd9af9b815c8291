import FoundationEssentials
import LinuxSupport
import Reports
package import Results
package import SystemPackage

extension RunResult {
    /// The most bytes of a `result.json` that are read: 256 MiB.
    package static let mostFileBytes = 256 << 20

    /// The result in a folder of results; nil if there is no file.
    package static func read(in folder: FilePath) throws(UnreadableResult) -> RunResult? {
        let file = folder.appending(ReportFormat.json.fileName ?? "")
        guard file.fileType != nil else { return nil }
        do {
            let bytes = try BoundedFile.read(file, most: mostFileBytes)
            guard bytes.count <= mostFileBytes else {
                throw UnreadableResult(reason: "it has more than \(mostFileBytes >> 20) MiB")
            }
            return try RunResult(json: Data(bytes))
        } catch let error as UnreadableResult {
            throw error
        } catch {
            throw UnreadableResult(reason: "\(error)")
        }
    }
}

/// Why a `result.json` cannot be used, as the end of a sentence.
package struct UnreadableResult: Error {
    package let reason: String
}
