import ArgumentParser
import AssetPacks
import FoundationEssentials
import PackFormat
import Redaction
import Scenarios
import SystemPackage
import Wording

/// The content of a first scenario, with warnings and next steps.
struct StarterSource {
    var title: String
    var source: StarterScenario.Source
    var warnings: [String] = []
    var steps: [String] = []

    /// Reads the source that the user names; nil is an example.
    ///
    /// `folder` is the scenario's. `isOnePack` says whether the request must be for a single pack. Throws
    /// ``CommandFailure`` if the name is no possible content.
    init(_ name: String?, besides folder: FilePath, isOnePack: Bool = false) throws {
        guard let name else {
            self.init(title: "Pictures arrive", source: .example)
            return
        }
        if name.contains("://") {
            try self.init(url: name)
        } else {
            try self.init(folder: FilePath(name), besides: folder, isOnePack)
        }
    }

    private init(title: String, source: StarterScenario.Source) {
        self.title = title
        self.source = source
    }

    private init(url text: String) throws {
        guard let address = Self.withoutSecrets(text) else {
            throw CommandFailure.usage(
                "'\(Redaction.url(text))' is not the address of a file on a host. Write http://HOST/FILE or "
                    + "https://HOST/FILE.")
        }
        let isManifest = address.url.hasSuffix(".plist")
        let name = address.url.split(separator: "/").last.map(String.init) ?? address.url
        title = "\(name) arrives"
        source =
            isManifest
            ? .manifest(url: address.url, isSecret: address.isSecret)
            : .file(url: address.url, isSecret: address.isSecret)
        if address.isSecret {
            let variable = StarterScenario.tokenVariable
            warnings.append(
                "The scenario omits the user name and query of the address, which may be secrets. It takes a "
                    + "bearer token from the variable \(variable) (token-env). Add a query that is not secret by hand.")
            steps.append("Set the token, or remove the line 'token-env': export \(variable)=…")
        }
        if isManifest { steps.append("Replace level-1 with one of your tags.") }
    }

    /// An address without possible secrets, and whether it had any; nil if the text is no address.
    static func withoutSecrets(_ text: String) -> (url: String, isSecret: Bool)? {
        guard text.hasPrefix("http://") || text.hasPrefix("https://"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let start = text.firstRange(of: "://")?.upperBound
        else { return nil }
        let whole = text[start...].prefix { $0 != "#" }
        let authority = whole.prefix { $0 != "/" && $0 != "?" }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let path = whole.dropFirst(authority.count).prefix { $0 != "?" }
        let url = text[..<start] + host + (path.isEmpty ? "/" : path)
        guard !host.isEmpty, HTTPAddress(String(url)) != nil else { return nil }
        return (String(url), host.count < authority.count || whole.contains("?"))
    }

    private init(folder path: FilePath, besides folder: FilePath, _ isOnePack: Bool) throws {
        let whole = path.whole
        func failure(_ reason: String) -> CommandFailure {
            CommandFailure.invalidInput("Could not write a scenario for '\(path)': \(reason)")
        }
        guard let type = try? whole.stat().type else {
            throw failure("there is no such folder. An address begins with http:// or https://.")
        }
        guard type == .directory else { throw failure("it is a file. Give its folder.") }
        let name = Self.name(of: whole, from: folder.whole)
        title = "\(whole.lastComponent?.string ?? "Packs") arrives"
        do {
            source = try Self.source(of: whole, called: name, isOnePack)
        } catch let error as CommandFailure {
            throw failure(error.description)
        } catch {
            throw failure("\(error)")
        }
    }

    /// A folder as the scenario names it: relative to the scenario's folder or its parent, or else absolute.
    static func name(of folder: FilePath, from own: FilePath) -> String {
        var rest = folder
        if rest.removePrefix(own) { return rest.isEmpty ? "./" : "./\(rest)" }
        rest = folder
        let parent = own.removingLastComponent()
        if parent != own, rest.removePrefix(parent) { return "../\(rest)" }
        return folder.string
    }

    private static func source(
        of folder: FilePath, called name: String, _ isOnePack: Bool
    ) throws -> StarterScenario.Source {
        if Site.manifestFile(in: folder) != nil {
            let scratch = FilePath(FileManager.default.temporaryDirectory.path(percentEncoded: false))
                .appending("headwind-init-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(atPath: scratch.string) }
            let site = try Site.load(directory: folder, archives: scratch)
            let resources = try AssetPackManifest(plist: site.manifest).resources
            let isSecure = resources.contains { $0.url.lowercased().hasPrefix("https://") }
            return .packs(folder: name, tag: try tag(of: site, isOnePack), isSecure: isSecure)
        }
        if FileManager.default.fileExists(atPath: folder.appending(Content.Catalog.tagFileName).string) {
            let catalog = try Catalog(tagFile: folder.appending(Content.Catalog.tagFileName), root: folder)
            guard let tag = isOnePack ? catalog.pack : catalog.tags.first else {
                throw CommandFailure.invalidInput("no file has a tag.")
            }
            return .catalog(folder: name, isByFolder: false, tag: tag)
        }
        if BackgroundCatalog.isThere(folder), let pack = try BackgroundCatalog(folder).packs.first {
            return .backgroundAssets(folder: name, pack: pack.identifier)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.string).filter { !$0.hasPrefix(".") }
        let hasFiles = names.compactMap { try? folder.appending($0).stat().type }.contains { $0 != .directory }
        if !hasFiles, case let catalog = try Catalog(byFolder: folder),
            let tag = isOnePack ? catalog.pack : catalog.tags.first
        {
            return .catalog(folder: name, isByFolder: true, tag: tag)
        }
        return .packs(folder: name, tag: try tag(of: Site.files(directory: folder), isOnePack))
    }

    /// What to request from a folder of packs: the first tag, or the name of its first pack.
    private static func tag(of site: Site, _ isOnePack: Bool) throws -> String {
        let table = try site.tagTable.map { try TagTable(plist: $0) }
        let packs = try AssetPackManifest(plist: site.manifest).resources.map(\.bundleKey)
        for pack in packs {
            guard let tags = table?.tags(of: pack), let tag = tags.first else { continue }
            return isOnePack ? tags.joined(separator: "+") : tag
        }
        guard let pack = packs.first else { throw CommandFailure.invalidInput("it has no pack and no file.") }
        return pack
    }
}

extension Catalog {
    /// The name of a pack: all its tags, as each set of tags is one pack; nil if no file has a tag.
    fileprivate var pack: String? { resources.first { !$0.tags.isEmpty }?.tags.sorted().joined(separator: "+") }
}

extension StarterScenario.Client {
    /// The client of `--command`, which runs in the current folder; `folder` is the scenario's.
    ///
    /// Throws `ValidationError`.
    init(command: String, besides folder: FilePath) throws {
        let current = FilePath(FileManager.default.currentDirectoryPath)
        self.init(
            words: try Self.words(of: command), directory: StarterSource.name(of: current, from: folder.whole))
    }

    /// The words of a command that takes an address and a file.
    ///
    /// Throws `ValidationError`.
    static func words(of text: String) throws -> [String] {
        guard let words = ShellWords.split(text), !words.isEmpty else {
            throw ValidationError("--command '\(text)' is not a command: it is empty, or a quote is not closed.")
        }
        // A word with blanks was quoted, so its signs are not the shell's.
        if let sign = words.first(where: { $0.wholeMatch(of: /[&;]+|[0-9]*&?[|<>].*|\S*}[&;|<>]\S*/) != nil }) {
            throw ValidationError(
                "--command runs without a shell, and '\(sign)' needs one. Put the line into a script, and write: "
                    + "--command './SCRIPT {url} {output}'")
        }
        let call: Command.Call
        do { call = try Command.Call(words: words) } catch let error as InvalidFiles {
            throw ValidationError("--command: \(error.sentences).")
        }
        let needed: [(Placeholder, String)] = [(.url, "the address of the pack"), (.output, "the file to write")]
        let missing = needed.filter { !call.placeholders.contains($0.0) }
        guard missing.isEmpty else {
            let names = missing.map { "{\($0.0.rawValue)}, \($0.1)" }.joined(separator: ", and ")
            throw ValidationError("--command lacks \(names). Write: --command './fetch.py {url} {output}'")
        }
        return words
    }
}
