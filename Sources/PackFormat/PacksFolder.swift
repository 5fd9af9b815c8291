import Glibc
package import SystemPackage

/// A folder of packs with their lists, as it was built or exported.
///
/// It may have come from anywhere. All that is read of it is found here, and nothing is read that lies outside of it,
/// whatever links it has. Lists may be links to files in it, and so may be the folder ``Site/packsFolderName``; packs may
/// not.
package struct PacksFolder: Hashable, Sendable {
    private static let advice = "; put the file itself there"

    /// Where it is; a link in this path is the user's own, and is followed.
    package let path: FilePath

    /// A folder, which need not be there.
    package init(_ path: FilePath) { self.path = path }

    /// The manifest, or the template that stands for it, as it is and as it was read.
    ///
    /// Throws `fileNotRead` where there is neither, and as ``list(_:)``; `notReadable` for what is no manifest.
    package func manifest() throws(PackFormatError) -> (bytes: [UInt8], manifest: AssetPackManifest) {
        let name = Site.manifestFile(in: path)?.lastComponent?.string ?? Site.manifestName
        let file = path.appending(name)
        guard let bytes = try list(name) else { throw .fileNotRead(file, reason: "there is no such file") }
        guard name != Site.downloadManifestName else {
            return (bytes, try AssetPackManifest(download: bytes, name: "the download manifest '\(file)'"))
        }
        return (bytes, try AssetPackManifest(plist: bytes, name: "the asset pack manifest '\(file)'"))
    }

    /// The tag table, as it is and as it was read; nil where there is none.
    ///
    /// Throws as ``list(_:)``, and `notReadable` for what is no tag table.
    package func tagTable() throws(PackFormatError) -> (bytes: [UInt8], table: TagTable)? {
        guard let bytes = try list(Site.tagTableName) else { return nil }
        return (bytes, try TagTable(plist: bytes, name: "the tag table '\(path.appending(Site.tagTableName))'"))
    }

    /// The bytes of a list in the folder; nil where there is no such file.
    ///
    /// Throws `fileNotRead` for what leads out of the folder, is no regular file, or is larger than any list.
    package func list(_ name: String) throws(PackFormatError) -> [UInt8]? {
        let file = path.appending(name)
        guard Self.mode(of: file) != nil else { return nil }
        do throws(ContainedFile.Fault) {
            return try ContainedFile(file, below: path).contents(most: PropertyList.mostBytes)
        } catch {
            throw .fileNotRead(file, reason: "it \(error)\(Self.advice)")
        }
    }

    /// The file or folder of a pack, beside the manifest or in `OnDemandResources`; nil where it is in neither.
    ///
    /// Throws `fileNotRead` for a link, and for what leads out of the folder.
    package func pack(_ name: String) throws(PackFormatError) -> FilePath? {
        for place in [path.appending(name), path.appending(Site.packsFolderName).appending(name)] {
            guard let mode = Self.mode(of: place) else { continue }
            do throws(ContainedFile.Fault) {
                guard mode & S_IFMT != S_IFLNK else { throw .init(description: "is a link") }
                _ = try ContainedFile.resolve(place, below: path)
            } catch {
                throw .fileNotRead(place, reason: "it \(error)\(Self.advice)")
            }
            return place
        }
        return nil
    }

    /// The names in the folder of the packs; none where there is no such folder, or it leads out of this one.
    package func packNames() -> [String] {
        let folder = path.appending(Site.packsFolderName)
        guard let real = try? ContainedFile.resolve(folder, below: path) else { return [] }
        return (try? FileTree.names(in: real)) ?? []
    }

    /// The mode of what is there, be it a link that leads nowhere; nil where nothing is.
    private static func mode(of path: FilePath) -> mode_t? {
        var status = stat()
        guard unsafe lstat(path.string, &status) != 0 else { return status.st_mode }
        // Anything but this is told by who opens it.
        return [ENOENT, ENOTDIR].contains(errno) ? nil : 0
    }
}
