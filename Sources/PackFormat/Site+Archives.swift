import Glibc
import SystemPackage

extension Site {
    /// Makes an archive of a pack that is a folder, as a build of Xcode's leaves it.
    ///
    /// The archive has the pack's name, in a folder of its own below `place`, because two packs may be called the same. What a
    /// reader of streams needs in front is made anew, so the folder's own `META-INF` is left out.
    static func archive(_ pack: FilePath, number: Int, below place: FilePath) throws(PackFormatError) -> FilePath {
        guard let name = pack.lastComponent else {
            throw .badSite(pack, reason: "its folder has no name")
        }
        let folder = place.appending("\(number)")
        for path in [place, folder] where unsafe mkdir(path.string, 0o700) != 0 && errno != EEXIST {
            throw .writing(path, Errno(rawValue: errno))
        }
        var items: [PackArchive.Item] = []
        for entry in try FileTree.entries(of: pack) where PackPath.firstPart(entry.path) != PackArchive.metadataFolder {
            items.append(try PackArchive.Item(entry, of: pack))
        }
        let file = folder.appending(name)
        _ = try PackArchive.write(items, to: file)
        return file
    }
}
