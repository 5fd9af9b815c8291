package import SystemPackage

/// A folder of packs with their lists, as it was built or exported.
///
/// Its content is not trusted. All its files are found by this type, and nothing outside of the folder is read,
/// whatever links it has. Lists and the folder ``Site/packsFolderName`` may be links within the folder; packs may not.
package struct PacksFolder: Hashable, Sendable {
    private static let advice = "; put the file itself there"

    /// Where it is; links in this path are the user's own, and are followed.
    package let path: FilePath

    /// A folder, which need not exist.
    package init(_ path: FilePath) { self.path = path }

    /// The manifest, or the template or the download manifest that replaces it, as bytes and as parsed.
    ///
    /// Throws `fileNotRead` if there is none, and like ``list(_:)``; `notReadable` for an invalid manifest.
    package func manifest() throws(PackFormatError) -> (bytes: [UInt8], manifest: AssetPackManifest) {
        let name = Site.manifestFile(in: path)?.lastComponent?.string ?? Site.manifestName
        let file = path.appending(name)
        guard let bytes = try list(name) else { throw .fileNotRead(file, reason: "there is no such file") }
        guard name != Site.downloadManifestName else {
            return (bytes, try AssetPackManifest(download: bytes, name: "the download manifest '\(file)'"))
        }
        return (bytes, try AssetPackManifest(plist: bytes, name: "the asset pack manifest '\(file)'"))
    }

    /// The tag table, as bytes and as parsed; nil if there is none.
    ///
    /// Throws like ``list(_:)``, and `notReadable` for an invalid table.
    package func tagTable() throws(PackFormatError) -> (bytes: [UInt8], table: TagTable)? {
        guard let bytes = try list(Site.tagTableName) else { return nil }
        return (bytes, try TagTable(plist: bytes, name: "the tag table '\(path.appending(Site.tagTableName))'"))
    }

    /// The bytes of a list in the folder; nil if there is no such file.
    ///
    /// Throws `fileNotRead` for a link out of the folder, for anything but a regular file, and for more than 16 MiB.
    package func list(_ name: String) throws(PackFormatError) -> [UInt8]? {
        let file = path.appending(name)
        guard Self.type(of: file) != nil else { return nil }
        do throws(ContainedFile.Fault) {
            return try ContainedFile(file, below: path).contents(most: PropertyList.mostBytes)
        } catch {
            throw .fileNotRead(file, reason: "it \(error)\(Self.advice)")
        }
    }

    /// The file or folder of a pack, next to the manifest or in `OnDemandResources`; nil if it is in neither.
    ///
    /// Throws `fileNotRead` for a link, and for a path that leads out of the folder.
    package func pack(_ name: String) throws(PackFormatError) -> FilePath? {
        for place in [path.appending(name), path.appending(Site.packsFolderName).appending(name)] {
            guard let type = Self.type(of: place) else { continue }
            do throws(ContainedFile.Fault) {
                guard type != .symbolicLink else { throw .init(description: "is a link") }
                _ = try ContainedFile.resolve(place, below: path)
            } catch {
                throw .fileNotRead(place, reason: "it \(error)\(Self.advice)")
            }
            return place
        }
        return nil
    }

    /// The names in the folder of the packs; empty if there is no such folder, or if it leads out of this one.
    package func packNames() -> [String] {
        let folder = path.appending(Site.packsFolderName)
        guard let real = try? ContainedFile.resolve(folder, below: path) else { return [] }
        return (try? FileTree.names(in: real)) ?? []
    }

    /// The type of a file, folder or link; nil if there is none, 0 if it cannot be read.
    private static func type(of path: FilePath) -> FileType? {
        do { return try path.stat(followTargetSymlink: false).type } catch {
            // Opening the file reports any other error.
            return [.noSuchFileOrDirectory, .notDirectory].contains(error) ? nil : FileType(rawValue: 0)
        }
    }
}
