/// The system of Apple that delivers an app's resources.
package enum Delivery: String, Hashable, Sendable, CaseIterable {
    /// On-Demand Resources: packs are found by tags, and purged when space is needed.
    case onDemandResources = "on-demand-resources"
    /// Background Assets: packs are found by their identifiers, and stay until the app removes them.
    case backgroundAssets = "background-assets"
}
