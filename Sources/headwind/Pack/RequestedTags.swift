import Documents
import PackFormat
import SystemPackage

/// The tags that a workload of `headwind-client` requests.
enum RequestedTags {
    /// The tags of all requests in a file.
    ///
    /// It leaves the check of all other steps to the client. Throws ``CommandFailure`` if the file is no workload, with
    /// the line and the column, and `PackFormatError` if it cannot be read.
    static func read(_ file: FilePath) throws -> Set<String> {
        guard let text = String(validating: try SmallFile.read(file), as: UTF8.self) else {
            throw PackFormatError.fileNotRead(file, reason: "it is not UTF-8")
        }
        do {
            let workload = try JSONReader.read(text)
            var tags: Set<String> = []
            for step in try workload.required("steps").elements() {
                guard let request = try step.member("request") else { continue }
                for tag in try request.required("tags").elements() { tags.insert(try tag.text()) }
            }
            return tags
        } catch let problem {
            throw CommandFailure(
                .invalidInput,
                "\(file):\(problem.mark): \(problem.reason), so it is not a workload: that is {\"steps\": "
                    + "[{\"request\": {\"id\": \"a\", \"tags\": [\"b\"]}}]}.")
        }
    }
}
