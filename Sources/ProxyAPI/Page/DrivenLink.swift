/// A link that a page shows, with the buttons that change it.
package struct DrivenLink: Sendable {
    /// What a button does to its link.
    package struct Choice: Sendable, Hashable {
        /// Its place in a path.
        package let name: String
        package let title: String
        /// The name of the profile that it leads to.
        package let profile: String

        package init(name: String, title: String, profile: String) {
            (self.name, self.title, self.profile) = (name, title, profile)
        }

        /// The way back.
        package static let back = "back"

        /// The buttons of a link: 3G, lossy, none at all by the profile `offline`, and back to `started`.
        package static func all(offline: String, started: String) -> [Choice] {
            [
                Choice(name: "3g", title: "3G", profile: "3g"), Choice(name: "lossy", title: "Lossy", profile: "lossy"),
                Choice(name: "offline", title: "Offline", profile: offline),
                Choice(name: back, title: "Back to \(started)", profile: started),
            ]
        }
    }

    /// Its place in a path.
    package let name: String
    /// What it is for; nil where the page has no other.
    package let title: String?
    /// What it follows.
    package let profile: String
    /// Bytes that have gone to the devices, and that have come from them.
    package let bytes: (down: Int64, up: Int64)
    package let choices: [Choice]

    package init(
        name: String, title: String? = nil, profile: String, bytes: (down: Int64, up: Int64), choices: [Choice]
    ) {
        (self.name, self.title, self.profile, self.bytes, self.choices) = (name, title, profile, bytes, choices)
    }
}
