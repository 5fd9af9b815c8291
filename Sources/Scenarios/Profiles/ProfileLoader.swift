import LinkModel
import LinuxSupport
import SystemPackage

/// Loads profiles, and the profiles that they extend, each once.
final class ProfileLoader {
    let library: ProfileLibrary
    /// The names of the library, listed once.
    private(set) lazy var names = library.names
    private var named: [String: ProfileDraft] = [:]
    private var loaded: [FilePath: ProfileDraft] = [:]
    /// The files that are being read, outermost first; a profile that extends one of them would be circular.
    private var open: [FilePath] = []

    private static let deepest = 8

    /// Whether a profile may extend another, which can be any file.
    private let allowsExtends: Bool

    init(library: ProfileLibrary, allowsExtends: Bool = true) {
        self.library = library
        self.allowsExtends = allowsExtends
    }

    /// The bundled profile of this name.
    func draft(named name: String) throws(InvalidFiles) -> ProfileDraft {
        guard names.contains(name) else {
            throw InvalidFiles("there is no profile '\(name.abbreviated)'", hint: library.hint(for: name))
        }
        let draft = try draft(file: library.folder.appending("\(name).yaml"))
        guard draft.profile.name == name else {
            let file = library.folder.appending("\(name).yaml").string
            let message = "the profile is called '\(draft.profile.name)', but its file is '\(name).yaml'"
            throw InvalidFiles(message, file: file, hint: "give both the same name")
        }
        return draft
    }

    /// The profile in a file.
    func draft(file: FilePath) throws(InvalidFiles) -> ProfileDraft {
        let file = file.lexicallyNormalized()
        if let draft = loaded[file] { return draft }
        let problems = Problems(file: file.string)
        open.append(file)
        defer { open.removeLast() }
        let draft = read(file, problems)
        try problems.check()
        guard let draft else { preconditionFailure("\(file) has no problem and gives no profile") }
        loaded[file] = draft
        return draft
    }

    /// A profile that a request contains as a whole; it only opens files of bundled profiles.
    func draft(sentAs node: YAMLNode, _ problems: Problems) -> ProfileDraft? {
        let decoder = ProfileDecoder(folder: nil, problems: problems) { [self] reference, node in
            guard !ProfileLibrary.isPath(reference) else {
                return problems.refuse(
                    "a profile in a request extends a bundled profile by its name, never a file", at: node.mark)
            }
            return draft(reference, from: library.folder, at: node, problems)
        }
        return decoder.file(node)
    }

    /// The profile of a name, or of a path relative to `folder`; `node` names it, in the file with these `problems`.
    func draft(_ reference: String, from folder: FilePath, at node: YAMLNode, _ problems: Problems) -> ProfileDraft? {
        if ProfileLibrary.isPath(reference) {
            return draft(at: folder.pushing(FilePath(reference)), calledBy: node, problems)
        }
        if let draft = named[reference] { return draft }
        guard names.contains(reference) else {
            let message = "there is no profile '\(reference.abbreviated)'"
            return problems.refuse(message, at: node.mark, hint: library.hint(for: reference))
        }
        let draft = draft(at: library.folder.appending("\(reference).yaml"), calledBy: node, problems)
        named[reference] = draft
        return draft
    }

    private func draft(at file: FilePath, calledBy node: YAMLNode, _ problems: Problems) -> ProfileDraft? {
        guard !open.contains(file.lexicallyNormalized()) else {
            return problems.refuse("the profile \(node.kind) extends itself, directly or through others", at: node.mark)
        }
        guard open.count < Self.deepest else {
            return problems.refuse(
                "more than \(Self.deepest) profiles extend one another in a row", at: node.mark,
                hint: "copy the keys of the last one")
        }
        guard FolderListing.exists(file) else {
            return problems.refuse("there is no file '\(file)'", at: node.mark, hint: "paths are relative to this file")
        }
        do {
            return try draft(file: file)
        } catch {
            problems.take(error.diagnostics)
            return nil
        }
    }

    private func read(_ file: FilePath, _ problems: Problems) -> ProfileDraft? {
        guard let root = YAMLReader.read(file: file, problems) else { return nil }
        if !allowsExtends, let base = root["extends"] {
            return problems.refuse("a profile in a bundle cannot extend another", at: base.mark)
        }
        let folder = file.removingLastComponent()
        let decoder = ProfileDecoder(folder: folder, problems: problems) { [self] reference, node in
            draft(reference, from: folder, at: node, problems)
        }
        return decoder.file(root)
    }
}

extension YAMLReader {
    /// The root of the document in a file; nil if there were problems.
    static func read(file: FilePath, _ problems: Problems) -> YAMLNode? {
        do {
            let bytes = try BoundedFile.read(file, most: YAMLText.mostBytes)
            FilesRead.current?.note(file)
            return read(bytes, problems)
        } catch {
            // The error of an unreadable file has no line in it to name.
            problems.take([Diagnostic(file: "", mark: .start, message: "the file '\(file)' \(error)")])
            return nil
        }
    }
}
