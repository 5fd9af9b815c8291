import FoundationEssentials
import PackFormat
import SystemPackage

/// The tags that a workload of `headwind-client` requests.
enum RequestedTags {
    private struct Workload: Decodable {
        struct Step: Decodable {
            struct Request: Decodable {
                var tags: [String]
            }
            var request: Request?
        }
        var steps: [Step]
    }

    /// The tags of all requests in a file.
    ///
    /// Whether its other steps are right is the client's to say. Throws ``CommandFailure`` for what is no workload.
    static func read(_ file: FilePath) throws -> Set<String> {
        do {
            let workload = try JSONDecoder().decode(Workload.self, from: Data(SmallFile.read(file)))
            return Set(workload.steps.compactMap(\.request).flatMap(\.tags))
        } catch let error as PackFormatError {
            throw CommandFailure(error)
        } catch {
            throw CommandFailure(
                status: .invalidInput,
                description:
                    "'\(file)' is no workload: it should be {\"steps\": [{\"request\": {\"id\": \"a\", \"tags\": [\"b\"]}}]}"
            )
        }
    }
}
