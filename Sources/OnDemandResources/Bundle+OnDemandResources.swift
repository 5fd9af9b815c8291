public import Foundation
import ResourceLoading

extension Bundle {
    /// Sets where this bundle's on-demand resources come from.
    ///
    /// Until then every request for them fails with 4994.
    ///
    /// It opens the store, and does not use the network. A source that was set before is closed first, and its requests
    /// are cancelled. Throws if the store cannot be used: it cannot be written, or the folder holds other things.
    public func setOnDemandResources(from source: OnDemandResourcesSource) async throws {
        await removeOnDemandResources()
        let loader = try ResourceLoader(source.configuration) { ResourceRequestObserver.shared.observe($0) }
        _ = BundleRegistry.set(loader, of: self)
    }

    /// Closes this bundle's source, if it has one: its requests are cancelled, partial downloads stay.
    public func removeOnDemandResources() async { await BundleRegistry.set(nil, of: self)?.close() }

    /// Sets how late the resources of these tags are purged, relative to others: 0 to 1, higher is later.
    ///
    /// Traps for a bundle without on-demand resources, for which Apple's method raises an exception.
    public func setPreservationPriority(_ priority: Double, forTags tags: Set<String>) {
        guard let loader = BundleRegistry.loader(of: self) else {
            preconditionFailure("'\(bundlePath)' has no on-demand resources: call setOnDemandResources(from:) first.")
        }
        for tag in tags.sorted() { loader.store.setPreservation(priority, of: tag) }
    }

    /// How late the resources of a tag are purged: 0 to 1, 0 unless set.
    public func preservationPriority(forTag tag: String) -> Double {
        BundleRegistry.loader(of: self)?.store.preservation(of: tag) ?? 0
    }
}
