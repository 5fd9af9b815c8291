import Documents
package import PackFormat
package import SystemPackage

/// A pack of Background Assets as its `Manifest.json` describes it, with the files that it selects.
package struct BackgroundPack: Hashable, Sendable {
    /// A system that a pack may be for.
    package enum Platform: String, Hashable, Sendable, CaseIterable {
        case iOS
        case macOS
        case tvOS
        case visionOS
    }

    /// A file of the pack.
    package struct File: Hashable, Sendable {
        /// The path within the pack, with `/` between its parts.
        package var path: String
        /// The file that is copied.
        package var source: FilePath
        /// Its size in bytes.
        package var size: Int64
        /// The modification time, in nanoseconds since 1970.
        package var modified: Int64
    }

    /// The usual file name of a manifest.
    package static let manifestName = "Manifest.json"

    /// The manifest's file.
    package var manifest: FilePath
    /// The pack's identifier, `assetPackID`.
    package var identifier: String
    /// When the system downloads the pack by itself.
    package var policy: AssetDownloadPolicy
    /// The systems that it is for; empty for all.
    package var platforms: [Platform]
    /// The language of its files, a BCP 47 tag; nil for none.
    package var language: String?
    /// The files in the pack, sorted by path.
    package var files: [File]

    /// The size of all files in bytes.
    package var bytes: Int64 { files.map(\.size).reduce(0, +) }
}

/// Collects the files that the selectors of one manifest select.
struct SelectedFiles {
    private let decoder: BackgroundManifestDecoder
    /// The folder at which selectors begin.
    private let root: FilePath
    private var files: [String: BackgroundPack.File] = [:]
    private var exclusions: [PathPattern] = []

    /// Finds the selected files, sorted by path.
    ///
    /// Throws ``CatalogError`` with the line of a selector that finds nothing, that leads out of the folder or to a
    /// link, or that puts a second file at one path; `PackFormatError` if files cannot be read.
    static func find(_ decoder: BackgroundManifestDecoder, below root: FilePath) throws -> [BackgroundPack.File] {
        var found = SelectedFiles(decoder: decoder, root: decoder.sourceRoot.map { root.pushing(FilePath($0)) } ?? root)
        for case (.fileExclusion(let pattern), _) in decoder.selectors {
            found.exclusions.append(PathPattern(pattern))
        }
        for (selector, mark) in decoder.selectors { try found.take(selector, mark) }
        var paths = PackPaths()
        let files = found.files.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        for file in files {
            do { try paths.enter(file.path, as: .file) } catch {
                throw CatalogError.badFile(found.root, path: error.path, reason: error.reason)
            }
        }
        return files
    }

    private mutating func take(_ selector: FileSelector, _ mark: Mark) throws {
        switch selector {
        case .file(let path): try take(file: path, as: path, mark)
        case .fileCopy(let source, let destination): try take(file: source, as: destination, mark)
        case .directory(let path): try take(directory: path, as: path, mark)
        case .directoryCopy(let source, let destination): try take(directory: source, as: destination, mark)
        case .filePattern(let pattern):
            let matcher = PathPattern(pattern)
            let found = try entries(of: root).filter { matcher.matches($0.path) }
            guard !found.isEmpty else { throw decoder.wrong(mark, "no file below '\(root)' matches '\(pattern)'") }
            for entry in found { try add(entry, from: root, as: entry.path, source: entry.path, mark) }
        case .fileExclusion: break
        }
    }

    private mutating func take(file path: String, as destination: String, _ mark: Mark) throws {
        let place = try real(path, mark)
        let name = PackPath.parts(path).last ?? path
        let entry = try FileTree.entry(named: name, in: place.removingLastComponent())
        guard let entry, entry.kind == .regular else {
            throw decoder.wrong(mark, "'\(place)' is not a file; select a folder with \"directory\"")
        }
        try add(entry, from: place.removingLastComponent(), as: destination, source: path, mark)
    }

    private mutating func take(directory path: String, as destination: String, _ mark: Mark) throws {
        let place = path == "." ? root : try real(path, mark)
        guard let found = try? entries(of: place) else {
            throw decoder.wrong(mark, "'\(place)' is not a readable folder; select a file with \"file\"")
        }
        guard !found.isEmpty else { throw decoder.wrong(mark, "the folder '\(place)' has no files") }
        func joined(_ folder: String, _ name: String) -> String { folder == "." ? name : "\(folder)/\(name)" }
        for entry in found {
            try add(
                entry, from: place, as: joined(destination, entry.path), source: joined(path, entry.path), mark)
        }
    }

    /// The files at any depth of a folder, without hidden files and manifests of packs.
    private func entries(of folder: FilePath) throws(PackFormatError) -> [FileTree.Entry] {
        try FileTree.entries(of: folder).filter { entry in
            guard entry.kind != .directory, !PackPath.isHidden(entry.path) else { return false }
            let isNamed = PackPath.parts(entry.path).last == BackgroundPack.manifestName
            return !isNamed || !BackgroundManifestDecoder.isManifest(folder.pushing(FilePath(entry.path)))
        }
    }

    private mutating func add(
        _ entry: FileTree.Entry, from folder: FilePath, as path: String, source: String, _ mark: Mark
    ) throws {
        guard !exclusions.contains(where: { $0.matches(source) }) else { return }
        let place = folder.appending(entry.path)
        guard entry.kind == .regular else {
            throw decoder.wrong(mark, "'\(place)' is a link or a device; packs hold only files")
        }
        guard !PackArchive.foldersOfItsOwn.contains(PackPath.firstPart(path)) else {
            let top = PackPath.firstPart(path)
            throw decoder.wrong(
                mark, "readers ignore a '\(top)' at the top of an archive; rename the folder")
        }
        if let known = files[path], known.source != place {
            throw decoder.wrong(mark, "both '\(known.source)' and '\(place)' would be '\(path)' in the pack")
        }
        files[path] = .init(path: path, source: place, size: entry.size, modified: entry.modified)
    }

    /// The place of a path below the root; throws if it does not exist, or if a link leads to it.
    private func real(_ path: String, _ mark: Mark) throws(CatalogError) -> FilePath {
        do throws(ContainedFile.Fault) {
            let place = root.pushing(FilePath(path))
            let found = try ContainedFile.resolve(place, below: root)
            // Removes as many parts as the path has, because links may lead to the root itself.
            var base = found
            for _ in PackPath.parts(path) { base.removeLastComponent() }
            guard base.pushing(FilePath(path)) == found, try ContainedFile.isSame(base, root) else {
                throw .init(description: "is reached through a link; packs hold only files")
            }
            return place
        } catch {
            throw decoder.wrong(mark, "'\(path)' below '\(root)' \(error)")
        }
    }
}
