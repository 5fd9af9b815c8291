import PackFormat
import Scenarios

extension PreparedContent {
    /// Separates a pack's identifier from the version of the app in which it changed.
    ///
    /// Only the host uses it: it names the later one of two packs with one name. The app does not know it.
    private static let versionMark = "@"

    /// The packs of a version of the app; version 1 is installed first, and an unknown number gives that one.
    package func version(_ number: Int) -> PreparedContent {
        number > 1 && number - 2 < updates.count ? updates[number - 2] : self
    }

    /// The host's identifier of a pack that the app knows by this identifier.
    package func hostIdentifier(_ identifier: String) -> String { hostIdentifiers[identifier] ?? identifier }

    /// The app's identifier of a pack that the host knows by this identifier.
    package func appIdentifier(_ identifier: String) -> String {
        hostIdentifiers.first { $0.value == identifier }?.key ?? identifier
    }

    /// Adds a later version of the app.
    ///
    /// Packs that equal those of the version before are served at the same path, and all others at paths of their own.
    package mutating func append(update: PreparedContent) {
        var update = update
        let before = version(updates.count + 1)
        let known = Dictionary(before.site.packs.map { ($0.identifier, $0) }) { first, _ in first }
        let number = updates.count + 2
        let addresses = Dictionary(before.manifest.resources.map { ($0.bundleKey, $0.url) }) { first, _ in first }
        update.appTagTable = update.tagTable
        for index in update.site.packs.indices {
            let pack = update.site.packs[index]
            let resource = update.manifest.resources.firstIndex { $0.bundleKey == pack.identifier }
            let earlier = known[before.hostIdentifier(pack.identifier)]
            if let earlier, earlier.sha256 == pack.sha256 {
                update.site.packs[index] = earlier
                update.hostIdentifiers[pack.identifier] = earlier.identifier
                if let resource, let url = addresses[pack.identifier] { update.manifest.resources[resource].url = url }
            } else {
                let name = pack.identifier + Self.versionMark + "\(number)"
                update.hostIdentifiers[pack.identifier] = name
                update.site.packs[index].identifier = name
                update.site.packs[index].path = "/\(number)\(pack.path)"
                let url = "\(scheme)://\(Self.hostName)\(update.site.packs[index].path)"
                if let resource { update.manifest.resources[resource].url = url }
                site.packs.append(update.site.packs[index])
            }
        }
        let names = update.hostIdentifiers
        update.tagTable.packsByTag = update.tagTable.packsByTag.mapValues { $0.map { names[$0] ?? $0 } }
        updates.append(update)
    }
}
