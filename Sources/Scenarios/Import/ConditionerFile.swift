import LinkModel
import PackFormat
package import SystemPackage

/// The profiles in a property list of Apple's Network Link Conditioner.
///
/// The tool's preferences have profiles by name under `Profiles`. A file with only a list of profiles, or with a single
/// profile, is read too.
package struct ConditionerFile: Sendable {
    /// The profiles, sorted by title.
    package private(set) var profiles: [ImportedProfile] = []
    /// Notes about unknown keys of the file, one sentence each.
    package private(set) var notes: [String] = []

    private let file: FilePath
    private var problems: [String] = []

    /// The limit on profiles of a file; real files have far fewer.
    private static let mostProfiles = 500
    /// Keys of the preferences that are not profiles: the selected profile, and whether it is active.
    private static let ignored: Set<String> = [
        "SelectedProfile", "SimulatedProfile", "SimulatorIsRunning", "TimeAtLastRun",
    ]

    /// Reads the profiles in `bytes`, which a file named `file` contains.
    ///
    /// Throws all settings that a link cannot have.
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

    /// The profiles with their titles, in any of the three forms of a file.
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
