/// What a request is for, which says by which limits it is judged.
package enum RequestPurpose: Hashable, Sendable {
    /// The app's own: its packs are in use.
    case use
    /// The install of an app, or of an update: its packs come with the app.
    case install
    /// The system's, which brings packs before anybody asks for them.
    case prefetch
}
