import Foundation

/// A pack as listed in the manifest.
struct Pack: Hashable, Sendable {
    var identifier: String
    var url: String
    var storedSize: Int64
    var size: Int64?
    var digest: String?
    var tags: [String]

    /// The stored file's name if the pack is a plain file, or nil for an archive.
    var fileName: String? {
        let name = URL(string: url)?.lastPathComponent ?? "pack"
        return name.hasSuffix(".assetpack") ? nil : name
    }

    var room: Int64 { max(storedSize, size ?? 0) }
}

/// Manifest and tag table: the packs of each tag, and their addresses.
struct Catalog: Sendable {
    private(set) var packs: [String: Pack] = [:]
    private var tags: [String: [String]] = [:]

    /// Reads two property lists.
    ///
    /// Returns nil if one is not a property list of the right form.
    init?(manifest: Data, base: URL?, tagTable: Data) {
        func read(_ data: Data) -> [String: Any]? {
            (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any]
        }
        guard let table = read(tagTable)?["NSBundleResourceRequestTags"] as? [String: [String: [String]]],
            let entries = read(manifest)?["resources"] as? [[String: Any]]
        else { return nil }
        tags = table.compactMapValues { $0["NSAssetPacks"] }
        for entry in entries {
            guard let identifier = entry["bundleKey"] as? String, let address = entry["URL"] as? String,
                let url = URL(string: address, relativeTo: base)
            else { return nil }
            packs[identifier] = Pack(
                identifier: identifier, url: url.absoluteString,
                storedSize: (entry["uncompressedSize"] as? NSNumber)?.int64Value ?? 0,
                size: (entry["HeadwindDownloadSize"] as? NSNumber)?.int64Value,
                digest: entry["HeadwindSHA256"] as? String,
                tags: tags.filter { $0.value.contains(identifier) }.keys.sorted())
        }
    }

    /// The packs of some tags.
    ///
    /// Throws for an unknown tag, or a pack that the manifest lacks.
    func packs(of wanted: [String]) throws -> [Pack] {
        var names: Set<String> = []
        for tag in wanted {
            guard let more = tags[tag] else { throw Failure(.unknownTag, "There is no tag '\(tag)'.") }
            names.formUnion(more)
        }
        return try names.sorted().map { name in
            guard let pack = packs[name] else { throw Failure(.missing, "The manifest has no pack '\(name)'.") }
            return pack
        }
    }
}

/// Downloads a list, and reports it under its own name.
final class ListDownload: DownloadHooks {
    private let name: String
    private let events: Events

    init(_ name: String, _ events: Events) { (self.name, self.events) = (name, events) }

    /// Returns the bytes of a file, or of a URL.
    func read(_ source: String, _ way: Way, _ bugs: Bugs, _ draw: Draw, in folder: String) throws -> Data {
        guard source.contains("://") else {
            guard let data = FileManager.default.contents(atPath: source) else {
                throw Failure(.noManifest, "'\(source)' cannot be read.")
            }
            return data
        }
        let path = "\(folder)/\(name)-\(getpid())"
        let part = try Part(path, note: path + ".json", bugs)
        defer { part.remove() }
        let download = Download(source, way, bugs, draw: draw, hooks: self, size: nil, isChecked: false)
        do { try download.run(into: part) { _ in } } catch let failure as Failure
            where [.missing, .wrongContent].contains(failure.kind)
        {
            throw Failure(.noManifest, failure.message)
        }
        return FileManager.default.contents(atPath: path) ?? Data()
    }

    func asked(_ url: String, from: Int64, try number: Int) {
        events.tell("fetch", ["pack": name, "url": url, "from": from, "try": number])
    }
    func answered(_ head: Head) {
        events.tell(
            "response", ["pack": name, "status": head.status, "from": head.range.from ?? 0, "length": head.length])
    }
    func received(_ bytes: Int64) { events.tell("received", ["pack": name, "bytes": bytes]) }
    func progressed(_ size: Int64, of total: Int64?) {}
    func retrying(in seconds: Double, because reason: String) {
        events.tell("retry", ["pack": name, "after": seconds, "reason": reason])
    }
    func hold() throws -> Bool { false }
}
