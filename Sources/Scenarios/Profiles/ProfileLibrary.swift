package import LinkModel
package import SystemPackage
import Wording

/// The profiles that come with Headwind, and those in files of users.
///
/// A reference to a profile is a name, such as `3g`, or the path of its file, which has a `/` or ends in `.yaml` or
/// `.yml`.
package struct ProfileLibrary: Sendable {
    /// The folder with the bundled profiles, one file a profile with its name.
    package let folder: FilePath

    /// A library of the files in `folder`.
    package init(folder: FilePath) { self.folder = folder }

    /// The profiles that come with this program; nil if their folder is not found.
    ///
    /// See ``BundledFiles``.
    package static var bundled: ProfileLibrary? { BundledFiles.folder("profiles").map(ProfileLibrary.init(folder:)) }

    /// The names of the bundled profiles, sorted; empty if the folder cannot be listed.
    package var names: [String] {
        (FolderListing.names(folder) ?? []).filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// All bundled profiles, sorted by name.
    ///
    /// Throws all problems of all of them.
    package func all() throws(InvalidFiles) -> [Profile] {
        try names.readingEach { name throws(InvalidFiles) in try profile(named: name) }
    }

    /// The bundled profile of this name.
    ///
    /// Throws if there is none, with the nearest name, or if its file is wrong.
    package func profile(named name: String) throws(InvalidFiles) -> Profile {
        try ProfileLoader(library: self).draft(named: name).profile
    }

    /// The profile in a file.
    ///
    /// Paths of traces are relative to the file. It may extend a profile by name, or by a path relative to the file.
    package func profile(file: FilePath) throws(InvalidFiles) -> Profile {
        try ProfileLoader(library: self).draft(file: file).profile
    }

    /// The profile of a name or a path.
    package func profile(_ reference: String) throws(InvalidFiles) -> Profile {
        Self.isPath(reference) ? try profile(file: FilePath(reference)) : try profile(named: reference)
    }

    /// Whether a reference is the path of a file rather than a name.
    package static func isPath(_ reference: String) -> Bool { reference.contains("/") || reference.isYAMLName }

    /// The schema of such a path.
    static let pathSchema = SchemaNode.text("the path of a profile's file", pattern: "/|\\.ya?ml$")

    /// The hint of an error about an unknown name.
    func hint(for name: String) -> String {
        NearestName.hint(for: name, in: names) ?? "'headwind profile list' shows all; write a file as ./FILE"
    }
}
