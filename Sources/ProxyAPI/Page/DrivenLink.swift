/// A link that a page shows, with the buttons that change it.
package struct DrivenLink: Sendable {
    /// A button of a link: it lets the link follow a profile.
    package struct Choice: Sendable, Hashable {
        /// Its name, the last part of the path `/choose/LINK/NAME`.
        package let name: String
        package let title: String
        /// The name of the profile that the link then follows.
        package let profile: String

        /// The name of the button that leads back to the first profile.
        package static let back = "back"

        /// The buttons of a link: the profiles `3g` and `lossy`, the profile named `offline`, and back to `started`.
        package static func all(offline: String, started: String) -> [Choice] {
            [
                Choice(name: "3g", title: "3G", profile: "3g"), Choice(name: "lossy", title: "Lossy", profile: "lossy"),
                Choice(name: "offline", title: "Offline", profile: offline),
                Choice(name: back, title: "Back to \(started)", profile: started),
            ]
        }
    }

    /// Its name, as in the path `/choose/NAME/CHOICE`.
    package let name: String
    /// A heading for the link; nil if the page has only one link.
    package let title: String?
    /// The name of the profile that it follows, or a text about its conditions.
    package let profile: String
    /// Bytes sent to the devices, and received from them.
    package let bytes: (down: Int64, up: Int64)
    package let choices: [Choice]

    package init(
        name: String, title: String? = nil, profile: String, bytes: (down: Int64, up: Int64), choices: [Choice]
    ) {
        (self.name, self.title, self.profile, self.bytes, self.choices) = (name, title, profile, bytes, choices)
    }
}
