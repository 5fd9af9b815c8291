package import LinkModel

/// A profile from another tool's file, and notes on what was not imported.
package struct ImportedProfile: Hashable, Sendable {
    package var profile: Profile
    /// Settings of the file that the profile does not have, one sentence each.
    package var notes: [String]

    /// Takes a profile, and removes characters from its title and source that a terminal must not get.
    init(profile: Profile, notes: [String]) {
        self.profile = profile
        self.notes = notes
        self.profile.title = Diagnostic.printable(profile.title)
        self.profile.source = Diagnostic.printable(profile.source)
    }

    /// Makes a profile's name from any title: `My 3G!` is `my-3g`, `100% Loss` is `100-percent-loss`.
    package static func name(for title: String) -> String {
        var name = ""
        for scalar in title.lowercased().unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": name.unicodeScalars.append(scalar)
            case "." where !name.isEmpty && name.last != "-": name += "."
            case "%": name += name.last == "-" || name.isEmpty ? "percent" : "-percent"
            case "+": name += name.last == "-" || name.isEmpty ? "plus" : "-plus"
            default: if !name.isEmpty, name.last != "-" { name += "-" }
            }
        }
        name = String(name.prefix(56))
        while let last = name.last, last == "-" || last == "." { name.removeLast() }
        return name.isEmpty ? "imported" : name
    }
}
