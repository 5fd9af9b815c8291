import LinkModel
import PackFormat
package import SystemPackage

/// The profiles in a property list of Apple's Network Link Conditioner.
///
/// Its preferences hold them by their names under `Profiles`. A list of profiles alone, and a single profile, are read too.
package struct ConditionerFile: Sendable {
    /// In the order of their titles.
    package private(set) var profiles: [ImportedProfile] = []
    /// What the file says beside them.
    package private(set) var notes: [String] = []

    private let file: FilePath
    private var problems: [String] = []

    /// More than these no one has.
    private static let mostProfiles = 500
    /// What the preferences hold beside profiles: which one is chosen, and whether it is in force.
    private static let ignored: Set<String> = [
        "SelectedProfile", "SimulatedProfile", "SimulatorIsRunning", "TimeAtLastRun",
    ]

    /// Reads the profiles in `bytes`, of a file that is called `file`.
    ///
    /// Throws everything that no link can have.
    package init(_ bytes: [UInt8], file: FilePath) throws(InvalidFiles) {
        self.file = file
        let list: PropertyList
        do throws(PackFormatError) {
            list = try PropertyList(bytes, what: "the property list '\(file)'")
        } catch {
            throw InvalidFiles([Diagnostic(file: "", mark: .start, message: "\(error)")])
        }
        for (title, values) in entries(list).prefix(Self.mostProfiles) { read(title, values) }
        if profiles.isEmpty, problems.isEmpty {
            problems.append("the file has no profile of the Network Link Conditioner")
        }
        guard problems.isEmpty else {
            throw InvalidFiles(problems.map { Diagnostic(file: file.string, mark: .start, message: $0) })
        }
    }

    /// The profiles with their titles, wherever in the list they are.
    private mutating func entries(_ list: PropertyList) -> [(String, [String: PropertyList])] {
        guard case .dictionary(let top) = list else {
            problems.append("the file is \(list.kind), not a dictionary of profiles")
            return []
        }
        if top.keys.contains(where: ConditionerProfile.settings.contains) { return [(file.stem ?? "imported", top)] }
        var profiles = top
        if case .dictionary(let inner)? = top["Profiles"] {
            profiles = inner
            for key in top.keys.sorted() where key != "Profiles" && !Self.ignored.contains(key) {
                notes.append(Diagnostic.printable("the unknown key '\(key.abbreviated)' was left out"))
            }
        }
        guard profiles.count <= Self.mostProfiles else {
            problems.append("the file has \(profiles.count) profiles, more than the limit of \(Self.mostProfiles)")
            return []
        }
        return profiles.sorted { $0.key < $1.key }.compactMap { title, value in
            if case .dictionary(let values) = value { return (title, values) }
            problems.append("'\(title.abbreviated)' is \(value.kind), not a profile")
            return nil
        }
    }

    private mutating func read(_ title: String, _ values: [String: PropertyList]) {
        var reader = ConditionerProfile(title: title, values: values)
        let imported = reader.read(source: file.lastComponent?.string ?? file.string)
        problems += reader.problems.map { "'\(title.abbreviated)': \($0)" }
        var profile = imported.profile
        let taken = Set(profiles.map(\.profile.name))
        var number = 1
        while taken.contains(profile.name) {
            number += 1
            profile.name = "\(imported.profile.name)-\(number)"
        }
        profiles.append(ImportedProfile(profile: profile, notes: imported.notes.map(Diagnostic.printable)))
    }
}
