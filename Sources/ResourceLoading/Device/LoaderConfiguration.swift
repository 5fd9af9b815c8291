package import PackFormat
package import SystemPackage

/// The device that a loader stands for, and the host that it loads from.
package struct LoaderConfiguration: Sendable {
    /// The device's way to the network.
    package enum Radio: String, Hashable, Sendable, CaseIterable {
        /// A network that any app may use.
        case wifi
        /// A network that an app needs leave for.
        case cellular
        /// No network at all.
        case none
    }

    /// Where a tag table is.
    package enum TagTableSource: Hashable, Sendable {
        /// Beside the manifest, as `OnDemandResources.plist`.
        case besideManifest
        /// At this URL.
        case url(String)
        /// In this file.
        case file(FilePath)
    }

    /// The manifest's absolute URL, or the path of a manifest that the app brings along.
    package var manifest: String
    /// By which system the app's resources are delivered; On-Demand Resources unless set.
    ///
    /// Background Assets have no tag table, keep an older edition of a pack usable, and purge none.
    package var delivery = Delivery.onDemandResources
    /// Where the tag table is; beside the manifest unless set.
    package var tagTable = TagTableSource.besideManifest
    /// The folder of the store; of the device, where `bundle` names one of those that share it.
    package var store: FilePath
    /// The app's bundle on a device whose room several share; nil, the default, for a store by itself.
    package var bundle: String?
    /// The device's room in bytes for packs and partial downloads; nil, the default, for what the file system has.
    package var capacity: Int64?
    /// What the system allows.
    ///
    /// `ios-2015` unless set.
    ///
    /// Only the in-use limit counts here.
    package var limits = Limits.ios2015
    /// Bytes of the app itself, which come with its install: what has no tag; 0 unless set.
    package var appSize: Int64 = 0
    /// The way to the network; Wi-Fi unless set.
    package var radio = Radio.wifi
    /// Whether a cellular network may be used; true unless set.
    package var allowsCellular = true
    /// How transfers reach the host.
    package var transfers = TransferConfiguration()
    /// Waits before another try.
    ///
    /// Tests put their own in its place.
    package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    package init(manifest: String, store: FilePath) {
        self.manifest = manifest
        self.store = store
    }

    /// Opens the store.
    ///
    /// Throws where it cannot be used.
    func openStore() throws(StoreError) -> PackStore {
        let keepsPacks = delivery == .backgroundAssets
        guard let bundle else { return try PackStore(store, capacity: capacity, keepsPacks: keepsPacks) }
        return try PackStore(device: store, bundle: bundle, capacity: capacity, keepsPacks: keepsPacks)
    }

    /// Why the device may not use a network; nil where it may.
    func networkRefusal(on radio: Radio) -> ResourceError? {
        switch radio {
        case .none: DownloadFailure(.noRoute, "The device's radio is off.").resourceError(of: "anything")
        case .cellular where !allowsCellular:
            DownloadFailure(.cellularDenied, "The device has a cellular network only, which the app may not use.")
                .resourceError(of: "anything")
        case .cellular, .wifi: nil
        }
    }
}
