import Foundation
import Testing

/// Suites that measure no time, so that they can run side by side.
///
/// One after another they take minutes, mostly of waiting. If `HEADWIND_SIDE_BY_SIDE` is set, as by Scripts/test for
/// all tests, `SideBySideTests` runs each of them in its own process. Otherwise they are ordinary suites.
enum SideBySide {
    static let isOn = ProcessInfo.processInfo.environment["HEADWIND_SIDE_BY_SIDE"] != nil
}

extension Trait where Self == ConditionTrait {
    static var sideBySide: Self {
        .disabled(if: SideBySide.isOn, "SideBySideTests runs this beside others")
    }
}
