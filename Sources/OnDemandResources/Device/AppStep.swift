/// Something in an app's life that is no call of a request's.
package enum AppStep: Hashable, Sendable {
    /// The app is installed: its initial tags are fetched, and others are prefetched afterwards.
    case install
    /// The app starts; `bundle` is its own where the device has several.
    case launch(bundle: String?)
    /// The app ended, and with it whatever it had pinned.
    case quit
    /// The app is replaced by this version of it; the one that was installed first is 1.
    case update(version: Int)
    /// The app needs what a request asked for, from now on.
    case use(id: String)
    /// The app has what it needed: these packs.
    case used(id: String, packs: [String], waited: Duration)
    /// The device has another network from now on.
    case radio(LoaderConfiguration.Radio)
    /// The app's user has bought what these tags have.
    case buy(tags: [String])
    /// The app has said how late the packs of these tags are to be purged.
    case preserve(tags: [String], priority: Double)

    /// The event's name.
    var name: String {
        switch self {
        case .install: "install"
        case .launch: "launch"
        case .quit: "quit"
        case .update: "update"
        case .use: "use"
        case .used: "used"
        case .radio: "radio"
        case .buy: "buy"
        case .preserve: "preserve"
        }
    }

    /// Adds the event's own members to its line.
    func add(to line: inout JSONLine) {
        switch self {
        case .install, .quit: break
        case .launch(let bundle): line.add("bundle", bundle)
        case .update(let version): line.add("version", version)
        case .use(let id): line.add("id", id)
        case .used(let id, let packs, let waited):
            line.add("id", id)
            line.add("packs", packs)
            line.add("waited", Double(waited.nanoseconds) / 1e9)
        case .radio(let radio): line.add("radio", radio.rawValue)
        case .buy(let tags): line.add("tags", tags)
        case .preserve(let tags, let priority):
            line.add("tags", tags)
            line.add("priority", priority)
        }
    }
}
