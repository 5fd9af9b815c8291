import Documents
import LinkModel
import SystemPackage

/// Profiles from a file of another tool, in the order of the file; those of a property list are sorted by title.
package struct ImportedList: Sendable {
    package private(set) var profiles: [ImportedProfile] = []
    /// Notes about the file as a whole, one sentence each.
    package internal(set) var notes: [String] = []
    private var problems: [Diagnostic] = []
    let file: FilePath

    init(of file: FilePath) { self.file = file }

    /// Adds a profile with a unique name; conditions that contradict each other are problems.
    mutating func add(
        _ title: String, _ conditions: LinkConditions, from tool: String, at mark: Mark = .start, notes: [String] = []
    ) {
        let name = ImportedProfile.name(for: title)
        let taken = Set(profiles.map(\.profile.name))
        let free = taken.contains(name) ? (2...).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) } : name
        var profile = Profile(name: free ?? name, title: title)
        profile.source = "Imported from '\(file.lastComponent?.string ?? file.string)', \(tool)."
        profile.conditions = conditions
        for contradiction in conditions.contradictions {
            refuse(mark, "'\(title.abbreviated)': \(contradiction.message)", hint: contradiction.hint)
        }
        profiles.append(ImportedProfile(profile: profile, notes: notes.map(Diagnostic.printable)))
    }

    /// Notes a problem at a place.
    mutating func refuse(_ mark: Mark, _ message: String, hint: String? = nil) {
        problems.append(Diagnostic(file: file.string, mark: mark, message: message, hint: hint))
    }

    /// Returns the list; throws its problems, at most 20, or an error if it has no profiles.
    func checked(_ wanted: String) throws(InvalidFiles) -> Self {
        if !problems.isEmpty { throw InvalidFiles(Array(problems.prefix(20))) }
        guard profiles.isEmpty else { return self }
        throw InvalidFiles("the file has no \(wanted)", file: file.string)
    }
}
