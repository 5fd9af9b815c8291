package import PackFormat
package import Redaction
package import SystemPackage

/// What is downloaded, and who serves it.
package enum Content: Hashable, Sendable {
    /// Packs are built from a catalog and served by the built-in host.
    case catalog(Catalog)
    /// The built-in host serves a folder of packs, one file a pack.
    case packs(FilePath)
    /// A host that Headwind did not start.
    case host(RemoteHost)
    /// No host: a program has this machine's networks, and these ports of the machine on its own loopback.
    case network(forwards: [UInt16])

    /// Where the resources are, and how they get their tags.
    package enum Catalog: Hashable, Sendable {
        /// A catalog that comes with Headwind.
        case builtIn(String)
        /// A folder and its tag file.
        case folder(FilePath, tags: FilePath)
        /// A folder whose folders are the tags.
        case byFolder(FilePath)
        /// A folder of manifests of Background Assets, each of which selects its files.
        case backgroundAssets(FilePath)
        /// A catalog that comes with Headwind, delivered as Background Assets: a pack for each set of tags.
        case builtInBackgroundAssets(String)

        /// The names of the catalogs that come with Headwind.
        package static let builtInNames = ["shapes", "adventure", "adventure-2", "three-parts", "film"]
        /// The name of the tag file in a catalog's folder.
        package static let tagFileName = "tags.json"
    }
}

extension Content.Catalog {
    /// The system of Apple's that delivers it.
    package var delivery: Delivery {
        switch self {
        case .builtIn, .folder, .byFolder: .onDemandResources
        case .backgroundAssets, .builtInBackgroundAssets: .backgroundAssets
        }
    }
}

extension Content {
    /// The system of Apple's that delivers it; for a folder of packs, the folder's list decides.
    package var delivery: Delivery {
        switch self {
        case .catalog(let catalog): catalog.delivery
        case .packs(let folder):
            FolderListing.exists(folder.appending(Site.downloadManifestName)) ? .backgroundAssets : .onDemandResources
        case .host, .network: .onDemandResources
        }
    }

    /// Whether the built-in host serves it.
    package var isOurs: Bool {
        switch self {
        case .catalog, .packs: true
        case .host, .network: false
        }
    }
}

/// A host that Headwind did not start.
package struct RemoteHost: Hashable, Sendable {
    /// The manifest's URL, http or https.
    package var manifest: String
    /// The tag table's URL; nil: it is next to the manifest, or there is none.
    package var tagTable: String?
    /// Header fields that are sent with every request, those of a headers file included.
    ///
    /// They may contain secrets.
    package var headers: [Header]
    /// The environment variable that holds a bearer token; nil: none is sent.
    package var tokenVariable: String?

    /// A field of an HTTP request.
    package struct Header: Hashable, Sendable, CustomStringConvertible {
        package var name: String
        package var value: String

        /// The name without the value: a value may be a secret, and descriptions end up in logs.
        package var description: String { "\(name): …" }
    }
}

extension HostSecrets {
    /// Adds the secrets of a host; `token` is the value of its variable, or nil if it has none.
    package mutating func add(_ host: RemoteHost, token: String?) {
        if let token { add(token) }
        for header in host.headers { add(header: header.name, header.value) }
        add(url: host.manifest)
        if let tagTable = host.tagTable { add(url: tagTable) }
    }
}
