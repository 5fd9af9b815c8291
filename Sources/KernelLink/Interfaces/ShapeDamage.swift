/// What somebody has done to a shape behind Headwind's back, as phrases.
package struct ShapeDamage: Hashable, Sendable {
    /// Parts that are gone, such as "its root queue 4857: is gone"; the rest does not do what was promised.
    package var missing: [String] = []
    /// Parts that have other numbers, or others in them.
    package var changed: [String] = []

    package init() {}
}
