import Foundation
import Testing

/// Suites that measure no time, and so can be run beside others.
///
/// One after the other they take minutes, of which they mostly wait. Where `HEADWIND_SIDE_BY_SIDE` is set, as
/// Scripts/test does for all tests, `SideBySideTests` runs them, each in a process of its own. Anywhere else they are
/// suites like the others.
enum SideBySide {
    static let isOn = ProcessInfo.processInfo.environment["HEADWIND_SIDE_BY_SIDE"] != nil
}

extension Trait where Self == ConditionTrait {
    static var sideBySide: Self {
        .disabled(if: SideBySide.isOn, "SideBySideTests runs this beside others")
    }
}
