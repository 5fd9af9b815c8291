package import LinkModel
package import SystemPackage
import Wording

/// The profiles that come with Headwind, and the files of users.
///
/// A profile is called by name, such as `3g`, or by the path of its file, which has a `/` or ends in `.yaml`.
package struct ProfileLibrary: Sendable {
    /// The folder with the bundled profiles, one file a profile, named after it.
    package let folder: FilePath

    /// A library of the files in `folder`.
    package init(folder: FilePath) {
        self.folder = folder
    }

    /// The profiles that come with this program; nil where there is no such folder.
    ///
    /// See ``BundledFiles``.
    package static var bundled: ProfileLibrary? {
        BundledFiles.folder("profiles").map(ProfileLibrary.init(folder:))
    }

    /// The names of the bundled profiles, sorted; empty where the folder cannot be listed.
    package var names: [String] {
        (FolderListing.names(folder) ?? []).filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// Every bundled profile, by name.
    ///
    /// Throws everything that is wrong with any of them.
    package func all() throws(InvalidFiles) -> [Profile] {
        var diagnostics: [Diagnostic] = []
        var profiles: [Profile] = []
        for name in names {
            do {
                profiles.append(try profile(named: name))
            } catch {
                diagnostics += error.diagnostics
            }
        }
        if !diagnostics.isEmpty { throw InvalidFiles(diagnostics) }
        return profiles
    }

    /// The bundled profile of this name.
    ///
    /// Throws where there is none, naming the nearest, or where its file is wrong.
    package func profile(named name: String) throws(InvalidFiles) -> Profile {
        try ProfileLoader(library: self).draft(named: name).profile
    }

    /// The profile in a file.
    ///
    /// Its traces are found relative to it; a profile that it extends, by name or relative to it.
    package func profile(file: FilePath) throws(InvalidFiles) -> Profile {
        try ProfileLoader(library: self).draft(file: file).profile
    }

    /// The profile that a user calls by name or by path.
    package func profile(_ reference: String) throws(InvalidFiles) -> Profile {
        Self.isPath(reference) ? try profile(file: FilePath(reference)) : try profile(named: reference)
    }

    /// Whether a reference is the path of a file rather than a name.
    package static func isPath(_ reference: String) -> Bool {
        reference.contains("/") || reference.isYAMLName
    }

    /// What a schema says of such a path.
    static let pathSchema = SchemaNode.text("the path of a profile's file", pattern: "/|\\.ya?ml$")

    /// What to say where no profile has this name.
    func hint(for name: String) -> String {
        NearestName.hint(for: name, in: names) ?? "'headwind profile list' shows all; write a file as ./FILE"
    }
}
