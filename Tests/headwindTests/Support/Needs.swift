import Glibc
import Testing

/// Whether this is the kernel of Scripts/netem-test, which has netem for sure.
let isUnderNetem = getenv("HEADWIND_NETEM").map { String(cString: $0) } == "required"

/// What a test cannot do without. It is skipped where that is missing, which Scripts/test counts as a failure under CI and as root.
extension Trait where Self == ConditionTrait {
    /// For tests that make networks, mounts or processes of other users.
    static var needsRoot: Self { .enabled(if: geteuid() == 0, "run the tests as root") }

    /// For tests that only the kernel of Scripts/netem-test can pass.
    static var needsNetemTest: Self { .enabled(if: isUnderNetem, "this kernel has no netem: netem-test runs this") }
}
