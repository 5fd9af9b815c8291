/// Packs that were built before cannot be cut for a device any more.
struct SliceRule {
    /// The scenario's keys.
    let fields: Fields

    /// Notes a device that takes a part of asset catalogs, where there is no catalog.
    func check(_ device: Device, _ content: Content?) {
        guard let content, device.slice != nil else { return }
        if case .catalog = content { return }
        // A system that takes one thing alone takes packs as they are.
        guard device.limits.onlySlice == nil else { return }
        fields.refuse(
            "device", "'idiom' and 'scale' choose what packs are built of, and these were built before",
            hint: "leave them out, or write 'catalog:'")
    }
}
