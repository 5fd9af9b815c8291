public import Foundation
import PackFormat
import ResourceLoading
import SystemPackage

/// Where a bundle's on-demand resources come from, and the device that keeps them: what Xcode, the App Store and the
/// system settle on Apple's platforms.
///
///     try await Bundle.main.setOnDemandResources(from: OnDemandResourcesSource(manifest: url, store: folder))
public struct OnDemandResourcesSource: Sendable {
    /// The address of `AssetPackManifest.plist`: a web address, or a file that the app brings along, whose packs have
    /// absolute URLs and which needs a `tagTable`.
    public var manifest: URL
    /// The address of `OnDemandResources.plist`, a file or a web address; nil, the default, for beside the manifest.
    public var tagTable: URL?
    /// The folder that stands for the device's storage; it is made where there is none.
    public var store: URL
    /// The app's bundle identifier, where `store` is a device that several apps share.
    ///
    /// nil, the default, for a device of its own.
    public var bundleIdentifier: String?
    /// The device's room in bytes; nil, the default, for what the file system has.
    public var capacity: Int64?
    /// A proxy that carries everything in CONNECT tunnels; nil, the default, for none.
    public var proxy: URL?
    /// A PEM file of authorities to trust besides the system's; nil, the default, for none.
    public var authorities: URL?
    /// Header fields for the host, as `Name: value`.
    public var headers: [String] = []
    /// How long a request waits without a sign of life, in seconds; 60 unless set.
    public var patience = 60.0
    /// The name of the system's limits, such as `ios-18`.
    ///
    /// `ios-2015` unless set.
    ///
    /// An unknown name counts as none.
    public var limits = "ios-2015"

    /// A source with everything else at its default.
    public init(manifest: URL, store: URL) {
        self.manifest = manifest
        self.store = store
    }

    /// The same for a loader.
    var configuration: LoaderConfiguration {
        var configuration = LoaderConfiguration(
            manifest: manifest.isFileURL ? manifest.path : manifest.absoluteString, store: FilePath(store.path))
        if let tagTable {
            configuration.tagTable =
                tagTable.isFileURL ? .file(FilePath(tagTable.path)) : .url(tagTable.absoluteString)
        }
        configuration.bundle = bundleIdentifier
        configuration.capacity = capacity
        configuration.limits = Limits.named(limits) ?? Limits(name: limits, source: "unknown")
        if let proxy { configuration.transfers.proxy = .tunnel(proxy.absoluteString) }
        configuration.transfers.authorities = authorities.map { FilePath($0.path) }
        configuration.transfers.headers = headers
        configuration.transfers.patience = .milliseconds(Int64(max(0.001, min(patience, 86_400)) * 1000))
        return configuration
    }
}
