/// Another bundle's store on the same device: it competes for the room.
struct StoreSibling: Sendable {
    let layout: StoreLayout
    /// What is there, and, as those of others, the claims of the processes that use it.
    var inventory: StoreInventory

    /// Whether the bundle's app runs.
    var isRunning: Bool { !inventory.others.isEmpty }

    /// The stores of a device besides one, by bundle; those that cannot be read are left out.
    static func all(on device: DeviceLayout, besides own: StoreLayout) -> [String: StoreSibling] {
        var siblings: [String: StoreSibling] = [:]
        for (bundle, layout) in device.stores where layout.root != own.root {
            guard let survey = try? StoreSurvey(layout) else { continue }
            siblings[bundle] = StoreSibling(layout: layout, inventory: survey.inventory)
        }
        return siblings
    }

    /// Looks anew which processes use the store, and what they want.
    mutating func lookWhoUsesIt() { inventory.others = StoreUser.all(in: layout.users, cleaning: true) }
}
