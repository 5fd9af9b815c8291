public import Foundation
import PackFormat
import ResourceLoading
import SystemPackage

/// Where a bundle's on-demand resources come from, and the device that stores them.
///
/// On Apple's platforms, Xcode, the App Store and the system determine this.
///
///     try await Bundle.main.setOnDemandResources(from: OnDemandResourcesSource(manifest: url, store: folder))
public struct OnDemandResourcesSource: Sendable {
    /// The address of `AssetPackManifest.plist`: a web address, or a file that comes with the app.
    ///
    /// A manifest in a file has absolute URLs for its packs, and needs a `tagTable`.
    public var manifest: URL
    /// The address of `OnDemandResources.plist`, a file or a web address; nil, the default, if it is next to the
    /// manifest.
    public var tagTable: URL?
    /// The folder that represents the device's storage; it is created if there is none.
    public var store: URL
    /// The app's bundle identifier, if `store` is a device that several apps share.
    ///
    /// nil, the default, for a device that the app has alone.
    public var bundleIdentifier: String?
    /// The device's room in bytes; nil, the default, for as much as the file system has.
    public var capacity: Int64?
    /// A proxy that carries everything in CONNECT tunnels; nil, the default, for none.
    public var proxy: URL?
    /// A PEM file of authorities to trust besides the system's; nil, the default, for none.
    public var authorities: URL?
    /// Header fields for the host, as `Name: value`.
    public var headers: [String] = []
    /// How long a request waits without a sign of life, in seconds; 60 unless set, limited to 0.001 to 86,400.
    public var patience = 60.0
    /// The name of the system's limits, such as `ios-18`; `ios-2015` unless set.
    ///
    /// An unknown name means no limits.
    public var limits = "ios-2015"

    /// A source with everything else at its default.
    public init(manifest: URL, store: URL) {
        self.manifest = manifest
        self.store = store
    }

    /// The same settings for a loader.
    var configuration: LoaderConfiguration {
        var configuration = LoaderConfiguration(
            manifest: manifest.isFileURL ? manifest.path : manifest.absoluteString, store: FilePath(store.path))
        if let tagTable {
            configuration.tagTable =
                tagTable.isFileURL ? .file(FilePath(tagTable.path)) : .url(tagTable.absoluteString)
        }
        configuration.bundle = bundleIdentifier
        configuration.capacity = capacity
        configuration.limits = Limits.named(limits) ?? Limits(name: limits)
        if let proxy { configuration.transfers.proxy = .tunnel(proxy.absoluteString) }
        configuration.transfers.authorities = authorities.map { FilePath($0.path) }
        configuration.transfers.headers = headers
        configuration.transfers.patience = .milliseconds(Int64(max(0.001, min(patience, 86_400)) * 1000))
        return configuration
    }
}
