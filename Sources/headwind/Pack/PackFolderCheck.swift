import AssetPacks
import FoundationEssentials
import PackFormat
import SystemPackage

/// Holds a folder of packs against its own manifest, and against limits.
struct PackFolderCheck: Sendable {
    /// Something that does not fit.
    struct Problem: Hashable, Sendable, Codable {
        var severity: LimitFinding.Severity
        /// The pack's identifier; nil for what is about all of them.
        var pack: String?
        var message: String
        /// What it is about, what was counted and may be, and where that is from; nil for what does not fit a list.
        var rule: Advice.Rule?
        var value: Int64?
        var limit: Int64?
        var source: String?
    }

    private let listing: PackListing
    private let limits: Limits
    private let judge: LimitOptions.Judge
    private let appSize: Int64

    /// A check of a folder; `appSize` is the bytes of the app itself, which come along with the initial install.
    init(_ listing: PackListing, limits: Limits, judge: LimitOptions.Judge = .store, appSize: Int64 = 0) {
        self.judge = judge
        self.appSize = appSize
        self.listing = listing
        self.limits = limits
    }

    /// Every problem, those of the packs first, in the order of the manifest.
    ///
    /// Throws where the check itself cannot go on: the task is cancelled, or there is no room to unpack a pack.
    func problems() throws -> [Problem] {
        var problems: [Problem] = []
        for resource in listing.manifest.resources {
            try Task.checkCancellation()
            problems += try self.problems(of: resource)
        }
        return problems + strays() + unlisted() + overLimits()
    }

    private func problems(of resource: AssetPackManifest.Resource) throws -> [Problem] {
        func problem(_ message: String) -> Problem {
            Problem(severity: .error, pack: resource.bundleKey, message: message)
        }
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

    /// What is wrong within a pack.
    private func content(of resource: AssetPackManifest.Resource, at location: FilePath) throws -> [Problem] {
        let misfits: [String]
        var advice: [Problem] = []
        do {
            let content = try PackContent(of: location)
            misfits = self.misfits(resource, content)
            let paths = content.files.map(\.path)
            advice = LetterCase.advice(paths).map {
                Problem(severity: .warning, pack: resource.bundleKey, message: $0)
            }
            advice += Advice.files(paths, code: content.code, pack: resource.bundleKey).map { Problem($0) }
        } catch let error as PackFormatError where error.isAboutInput {
            misfits = ["\(error)"]
        }
        return misfits.map { Problem(severity: .error, pack: resource.bundleKey, message: $0) } + advice
    }

    /// What the file is against what the manifest says of it.
    private func servedAsListed(_ resource: AssetPackManifest.Resource, at location: FilePath) throws -> [String] {
        let file = try FileDescriptor.open(location, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        defer { try? file.close() }
        if (try? FileTree.names(in: location)) != nil { return [] }
        var problems: [String] = []
        let size = try file.seek(offset: 0, from: .end)
        if let told = resource.downloadSize, told != size {
            problems.append("'\(location)' has \(size) bytes, and the manifest says \(told)")
        }
        if let told = resource.sha256, try Digest.sha256Hex(of: location) != told {
            problems.append("the SHA-256 of '\(location)' differs from the manifest")
        }
        return problems
    }

    /// What is in a pack against what the lists say of it.
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

    /// Whether the tags are the same bytes, not only the same texts.
    private static func isSame(_ tags: [String], _ others: [String]) -> Bool {
        tags.elementsEqual(others) { $0.utf8.elementsEqual($1.utf8) }
    }

    private static func list(_ tags: [String]) -> String {
        tags.isEmpty ? "none" : tags.map { "'\(NameText.escaped($0))'" }.joined(separator: ", ")
    }

    /// Packs of the tag table that the manifest lacks, and the other way round.
    private func strays() -> [Problem] {
        guard let table = listing.tagTable else { return [] }
        let listed = Set(listing.manifest.resources.map(\.bundleKey))
        let tagged = Set(table.packsByTag.values.joined())
        return tagged.subtracting(listed).sorted().map {
            Problem(severity: .error, pack: $0, message: "it is in the tag table, but not in the manifest")
        }
            + listed.subtracting(tagged).sorted().map {
                Problem(severity: .error, pack: $0, message: "it has no tag in the tag table")
            }
    }

    /// Packs that cannot be requested.
    private func unlisted() -> [Problem] {
        let place = listing.folder.path.appending(Site.packsFolderName)
        let known = Set(listing.manifest.resources.flatMap(PackListing.names))
        let names = listing.folder.packNames()
        return names.filter { $0.hasSuffix("." + Site.packExtension) && !known.contains($0) }.map {
            Problem(severity: .warning, pack: nil, message: "'\(place.appending($0))' is in no manifest")
        }
    }

    private func overLimits() -> [Problem] {
        let packs = listing.manifest.resources.map { resource in
            BuildReport.Pack(
                resource, tags: listing.tags(of: resource),
                name: PackListing.names(of: resource).first ?? resource.url)
        }
        // A manifest does not say which tags are categories, but a pack's priority does: 1 is initial install.
        return LimitCheck(limits).findings(byPriority: packs, bundledSize: appSize).map {
            var advice = Advice($0)
            advice.severity = judge.severity(advice.severity)
            return Problem(advice)
        }
    }
}

extension PackFolderCheck.Problem {
    /// Advice as a problem.
    init(_ advice: Advice) {
        self.init(
            severity: advice.severity, pack: advice.pack, message: advice.message, rule: advice.rule,
            value: advice.value, limit: advice.limit, source: advice.source)
    }
}

/// Names that differ only by upper and lower case letters.
enum LetterCase {
    /// What is to be said of such names in one pack, one sentence for each pair, folders' names too.
    ///
    /// Linux, iOS and tvOS tell them apart. APFS on a Mac does not, unless it was made so.
    static func advice(_ paths: [String]) -> [String] {
        var (names, told, advice) = ([String: String](), Set<String>(), [String]())
        for path in paths {
            var way = ""
            for part in PackPath.parts(path) {
                way += way.isEmpty ? part : "/" + part
                let known = names[way.lowercased(), default: way]
                names[way.lowercased()] = known
                guard known != way, told.insert(way).inserted else { continue }
                // What lies in such a folder is no news.
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

extension PackFormatError {
    /// Whether other files would help, and not another machine.
    var isAboutInput: Bool {
        switch self {
        case .notReadable, .fileNotRead, .badArchive, .badSite: true
        case .fileNotWritten, .noSpace: false
        }
    }
}

extension CommandFailure {
    /// The error, and whether it is the input's fault or this machine's.
    init(_ error: PackFormatError) {
        let status: ExitStatus =
            switch error {
            case .fileNotWritten: .usage
            case .noSpace: .infrastructure
            case .notReadable, .fileNotRead, .badArchive, .badSite: .invalidInput
            }
        self.init(status: status, description: error.description)
    }
}
