import Glibc
import Testing

/// Whether this is the kernel of Scripts/netem-test, which certainly has netem.
let isUnderNetem = getenv("HEADWIND_NETEM").map { String(cString: $0) } == "required"

/// Requirements of tests.
///
/// A test is skipped if one is missing, which Scripts/test counts as a failure in CI and as root.
extension Trait where Self == ConditionTrait {
    /// For tests that create networks, mounts or processes of other users.
    static var needsRoot: Self { .enabled(if: geteuid() == 0, "run the tests as root") }

    /// For tests that only the kernel of Scripts/netem-test can pass.
    static var needsNetemTest: Self { .enabled(if: isUnderNetem, "this kernel has no netem: netem-test runs this") }
}
