import PackFormat
import SystemPackage

/// Reads the profiles in a property list of Apple's Network Link Conditioner.
///
/// The tool's preferences have profiles by name under `Profiles`. A file with only a list of profiles, or with a single
/// profile, is read too.
enum ConditionerFile {
    /// The limit on profiles of a file; real files have far fewer.
    private static let mostProfiles = 500
    /// Keys of the preferences that are not profiles: the selected profile, and whether it is active.
    private static let ignored: Set<String> = [
        "SelectedProfile", "SimulatedProfile", "SimulatorIsRunning", "TimeAtLastRun",
    ]

    /// Reads the profiles in `bytes`, which a file named `file` contains, sorted by title.
    ///
    /// Throws the settings that a link cannot have, at most 20.
    static func read(_ bytes: [UInt8], of file: FilePath) throws(InvalidFiles) -> ImportedList {
        let properties: PropertyList
        do throws(PackFormatError) {
            properties = try PropertyList(bytes, what: "the property list '\(file)'")
        } catch {
            throw InvalidFiles("\(error)")
        }
        var list = ImportedList(of: file)
        for (title, values) in entries(properties, &list) {
            var profile = ConditionerProfile(title: title, values: values)
            let conditions = profile.read()
            for problem in profile.problems { list.refuse(.start, "'\(title.abbreviated)': \(problem)") }
            list.add(
                title, conditions, from: "a property list of Apple's Network Link Conditioner", notes: profile.notes)
        }
        return try list.checked("profile of the Network Link Conditioner")
    }

    /// The profiles with their titles, in any of the three forms of a file.
    private static func entries(
        _ properties: PropertyList, _ list: inout ImportedList
    ) -> [(String, [String: PropertyList])] {
        guard case .dictionary(let top) = properties else {
            list.refuse(.start, "the file is \(properties.kind), not a dictionary of profiles")
            return []
        }
        if top.keys.contains(where: ConditionerProfile.settings.contains) {
            return [(list.file.stem ?? "imported", top)]
        }
        var profiles = top
        if case .dictionary(let inner)? = top["Profiles"] {
            profiles = inner
            for key in top.keys.sorted() where key != "Profiles" && !ignored.contains(key) {
                list.notes.append(Diagnostic.printable("the unknown key '\(key.abbreviated)' was left out"))
            }
        }
        guard profiles.count <= mostProfiles else {
            list.refuse(.start, "the file has \(profiles.count) profiles, more than the limit of \(mostProfiles)")
            return []
        }
        return profiles.sorted { $0.key < $1.key }.compactMap { title, value in
            if case .dictionary(let values) = value { return (title, values) }
            list.refuse(.start, "'\(title.abbreviated)' is \(value.kind), not a profile")
            return nil
        }
    }
}
