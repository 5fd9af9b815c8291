package import PackFormat
package import SystemPackage

/// The device that a loader represents, and the host that it loads from.
package struct LoaderConfiguration: Sendable {
    /// The device's network.
    package enum Radio: String, Hashable, Sendable, CaseIterable {
        /// A network that any app may use.
        case wifi
        /// A network that an app needs permission for.
        case cellular
        /// No network at all.
        case none
    }

    /// Where a tag table is.
    package enum TagTableSource: Hashable, Sendable {
        /// Next to the manifest, as `OnDemandResources.plist`.
        case besideManifest
        /// At this URL.
        case url(String)
        /// In this file.
        case file(FilePath)

        /// A tag table by its URL or its path; next to the manifest if `text` is nil.
        package init(_ text: String?) {
            self = text.map { $0.contains("://") ? .url($0) : .file(FilePath($0)) } ?? .besideManifest
        }
    }

    /// The manifest's absolute URL, or the path of a manifest that comes with the app.
    package var manifest: String
    /// The system that delivers the app's resources; On-Demand Resources unless set.
    ///
    /// Background Assets have no tag table, keep an older edition of a pack usable, and purge none.
    package var delivery = Delivery.onDemandResources
    /// Where the tag table is; next to the manifest unless set.
    package var tagTable = TagTableSource.besideManifest
    /// The folder of the store; of the device if `bundle` is set.
    package var store: FilePath
    /// The app's bundle on a device that several bundles share; nil, the default, for a store by itself.
    package var bundle: String?
    /// The device's room in bytes for packs and partial downloads; nil, the default, for as much as the file system
    /// has.
    package var capacity: Int64?
    /// The limits of the system; `ios-2015` unless set.
    ///
    /// A use is checked against the in-use limit, an install against the install limits. A pack over the pack limit
    /// only causes advice.
    package var limits = Limits.ios2015
    /// Bytes of the app itself, which are installed with it and have no tag; 0 unless set.
    package var appSize: Int64 = 0
    /// The device's network; Wi-Fi unless set.
    package var radio = Radio.wifi
    /// Whether a cellular network may be used; true unless set.
    package var allowsCellular = true
    /// How transfers reach the host.
    package var transfers = TransferConfiguration()
    /// Waits before another try; sleeps unless set.
    ///
    /// Tests replace it.
    package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    package init(manifest: String, store: FilePath) {
        self.manifest = manifest
        self.store = store
    }

    /// Opens the store.
    ///
    /// Throws if it cannot be used.
    func openStore() throws(StoreError) -> PackStore {
        try PackStore(store, bundle: bundle, capacity: capacity, keepsPacks: delivery == .backgroundAssets)
    }

    /// Why the device may not use a network; nil if it may.
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
