import LinkModel
import Scenarios

extension ProfileCommand {
    /// The profile that a user calls by name or by path.
    ///
    /// Tells on stderr what is wrong with its file, and throws.
    static func named(_ reference: String) throws -> Profile {
        try tellingProblems { try library().profile(reference) }
    }
}
