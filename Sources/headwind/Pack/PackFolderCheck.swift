import AssetPacks
import FoundationEssentials
import PackFormat
import SystemPackage

/// Compares a folder of packs with its own manifest, and with limits.
struct PackFolderCheck: Sendable {
    let listing: PackListing
    let limits: Limits
    var judge = LimitOptions.Judge.store
    /// The size of the app itself in bytes, which the initial install includes.
    var appSize: Int64 = 0

    /// All problems, those of the packs first, in the order of the manifest.
    ///
    /// Throws if the check cannot continue: the task is cancelled, or there is no room to unpack a pack.
    func problems() throws -> [Advice] {
        var problems: [Advice] = []
        for resource in listing.manifest.resources {
            try Task.checkCancellation()
            problems += try self.problems(of: resource)
        }
        return problems + strays() + unlisted() + overLimits()
    }

    private func problems(of resource: AssetPackManifest.Resource) throws -> [Advice] {
        func problem(_ message: String) -> Advice { Advice(.error, pack: resource.bundleKey, message: message) }
        do {
            guard let location = try listing.location(of: resource) else {
                return [problem("the folder has no file for its address '\(resource.url)'")]
            }
            var served = try servedAsListed(resource, at: location).map(problem)
            if location.extension == Site.appleArchiveExtension, try AppleArchive.text(of: location) == nil {
                served.append(problem("'\(location)' is not an Apple Archive, despite its name"))
            }
            return served + (location.extension == Site.packExtension ? try content(of: resource, at: location) : [])
        } catch let error as PackFormatError where error.isAboutInput {
            return [problem("\(error)")]
        }
    }

    /// The problems of a pack's content.
    private func content(of resource: AssetPackManifest.Resource, at location: FilePath) throws -> [Advice] {
        let misfits: [String]
        var advice: [Advice] = []
        do {
            let content = try PackContent(of: location)
            misfits = self.misfits(resource, content)
            let paths = content.files.map(\.path)
            advice = LetterCase.advice(paths).map {
                Advice(.warning, pack: resource.bundleKey, message: $0)
            }
            advice += Advice.files(paths, code: content.code, pack: resource.bundleKey)
        } catch let error as PackFormatError where error.isAboutInput {
            misfits = ["\(error)"]
        }
        return misfits.map { Advice(.error, pack: resource.bundleKey, message: $0) } + advice
    }

    /// The differences between a pack's file and its entry in the manifest.
    private func servedAsListed(_ resource: AssetPackManifest.Resource, at location: FilePath) throws -> [String] {
        let file = try PackFormatError.reading(location) {
            try FileDescriptor.open(location, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        }
        defer { try? file.close() }
        if (try? FileTree.names(in: location)) != nil { return [] }
        var problems: [String] = []
        let size = try PackFormatError.reading(location) { try file.seek(offset: 0, from: .end) }
        if let told = resource.downloadSize, told != size {
            problems.append("'\(location)' has \(size) bytes, and the manifest says \(told)")
        }
        if let told = resource.sha256, try Digest.sha256Hex(of: location) != told {
            problems.append("the SHA-256 of '\(location)' differs from the manifest")
        }
        return problems
    }

    /// The differences between a pack's content and the manifest and tag table.
    private func misfits(_ resource: AssetPackManifest.Resource, _ content: PackContent) -> [String] {
        var problems: [String] = []
        if content.bytes > resource.uncompressedSize {
            problems.append("it unpacks to \(content.bytes) bytes, and the manifest says \(resource.uncompressedSize)")
        }
        if let info = content.info {
            if info.identifier != resource.bundleKey { problems.append("its Info.plist calls it '\(info.identifier)'") }
            if let tags = listing.tagTable?.tags(of: resource.bundleKey), !Self.isSame(tags, info.tags) {
                problems.append(
                    "its Info.plist has the tags \(Self.list(info.tags)), and the tag table has \(Self.list(tags))")
            }
        } else if resource.policy == nil {
            problems.append("it has no Info.plist")
        }
        let paths = Set(content.files.map(\.path))
        var named = NameLedger()
        for path in listing.tagTable?.pathsByPack[resource.bundleKey] ?? [] {
            let name = NameText.visible(path)
            if named.enter(path) == .again { problems.append("the tag table names '\(name)' twice") }
            if !paths.contains(path) { problems.append("it lacks '\(name)', which the tag table names") }
        }
        return problems
    }

    /// Whether the tags have the same bytes, rather than only equivalent characters.
    private static func isSame(_ tags: [String], _ others: [String]) -> Bool {
        tags.elementsEqual(others) { $0.utf8.elementsEqual($1.utf8) }
    }

    private static func list(_ tags: [String]) -> String {
        tags.isEmpty ? "none" : tags.map { "'\(NameText.escaped($0))'" }.joined(separator: ", ")
    }

    /// Packs that only the tag table or only the manifest has.
    private func strays() -> [Advice] {
        guard let table = listing.tagTable else { return [] }
        let listed = Set(listing.manifest.resources.map(\.bundleKey))
        let tagged = Set(table.packsByTag.values.joined())
        return tagged.subtracting(listed).sorted().map {
            Advice(.error, pack: $0, message: "it is in the tag table, but not in the manifest")
        }
            + listed.subtracting(tagged).sorted().map {
                Advice(.error, pack: $0, message: "it has no tag in the tag table")
            }
    }

    /// Packs that cannot be requested, as no manifest lists them.
    private func unlisted() -> [Advice] {
        let place = listing.folder.path.appending(Site.packsFolderName)
        let known = Set(listing.manifest.resources.flatMap(PackListing.names))
        let names = listing.folder.packNames()
        return names.filter { $0.hasSuffix("." + Site.packExtension) && !known.contains($0) }.map {
            Advice(.warning, message: "'\(place.appending($0))' is in no manifest")
        }
    }

    private func overLimits() -> [Advice] {
        let packs = listing.manifest.resources.map { resource in
            BuildReport.Pack(
                resource, tags: listing.tags(of: resource),
                name: PackListing.names(of: resource).first ?? resource.url)
        }
        // A manifest does not name the tags of each category, but a pack's priority shows it: 1 is initial install.
        return limits.findings(byPriority: packs, bundledSize: appSize).map { judge.judged(Advice($0)) }
    }
}

/// Names that differ only by upper and lower case letters.
enum LetterCase {
    /// The advice on such names in one pack, one sentence for each pair; it includes names of folders.
    ///
    /// Linux, iOS and tvOS distinguish them. APFS on a Mac does not, unless it was formatted as case-sensitive.
    static func advice(_ paths: [String]) -> [String] {
        var (names, told, advice) = ([String: String](), Set<String>(), [String]())
        for path in paths {
            var way = ""
            for part in PackPath.parts(path) {
                way += way.isEmpty ? part : "/" + part
                let known = names[way.lowercased(), default: way]
                names[way.lowercased()] = known
                guard known != way, told.insert(way).inserted else { continue }
                // Do not repeat it for the content of such a folder.
                guard PackPath.parent(of: known) == PackPath.parent(of: way) else { continue }
                advice.append(
                    "'\(NameText.visible(known))' and '\(NameText.visible(way))' differ only by upper and lower "
                        + "case; a Mac's file system keeps only one of them, unless it is case-sensitive"
                )
            }
        }
        return advice
    }
}

extension PackFormatError: ErrorWithStatus {
    var exitStatus: ExitStatus {
        switch self {
        case .fileNotWritten: .usage
        case .noSpace: .infrastructure
        case .notReadable, .fileNotRead, .badArchive, .badSite: .invalidInput
        }
    }

    /// Whether the input is at fault, rather than this machine.
    var isAboutInput: Bool { exitStatus == .invalidInput }
}
