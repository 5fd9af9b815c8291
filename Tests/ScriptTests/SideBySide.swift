import Foundation
import Testing

/// Suites that measure no time, and so can be run beside others.
///
/// One after the other they would take minutes, of which they mostly wait. Where `HEADWIND_SIDE_BY_SIDE` is set, as Scripts/test does for all tests, `SideBySideTests` runs them, one process for each lane; anywhere
/// else they are suites like the others.
enum SideBySide {
    static let isOn = ProcessInfo.processInfo.environment["HEADWIND_SIDE_BY_SIDE"] != nil

    /// Of about the same length each.
    static let lanes = [
        [
            "headwindTests.LinkKillTests", "headwindTests.LinkForeignTests", "headwindTests.ExecDescriptorTests",
            "headwindTests.ExecSandboxTests", "ScenariosTests.MutationTests", "ScriptTests.StartTests",
            "headwindTests.BaselineCommandTests", "headwindTests.ResultsLockCommandTests",
            "PackFormatTests.ArchiveRuleTests",
        ],
        [
            "OnDemandResourcesTests.RealBytesTests", "OnDemandResourcesTests.KilledClientTests",
            "headwindTests.ProxyControlTests", "headwindTests.ProxyRemoteTests", "headwindTests.RefusedSandboxTests",
            "PackFormatTests.HostileListTests", "PackFormatTests.ManyEntriesTests",
            "ScenariosTests.FuzzTests", "HarnessTests.ComparisonRunTests",
        ],
        [
            "headwindTests.LinkPlaceTests", "headwindTests.LinkDamageTests", "headwindTests.ExecBundleTests",
            "OnDemandResourcesTests.ErrorMatrixTests", "OnDemandResourcesTests.FullStorageTests",
            "OnDemandResourcesTests.LoaderEndTests", "HarnessTests.CommandEventTests",
            "headwindTests.OutputCommandTests", "headwindTests.HostileOutputTests",
        ],
        [
            "headwindTests.KillTests", "ScriptTests.UserModeKernelTests", "HarnessTests.BrokenClientTests",
            "HarnessTests.ClientCheckingTests", "LinkModelTests.PacketTruthTests", "LinkModelTests.RandomTests",
            "PacketLinkTests.FuzzTests",
            "headwindTests.DamagedFileTests",
        ],
        [
            "headwindTests.LinkCommandTests", "headwindTests.CheckCommandTests", "HarnessTests.LifeRunTests",
            "HarnessTests.LifeDeviceRunTests", "HarnessTests.SabotagedClientTests", "HarnessTests.StoreCheckTests",
            "PacketLinkTests.OverTimeTests",
            "ReportsTests.BrowserTests", "ReportsTests.OverviewTests",
        ],
    ]
}

extension Trait where Self == ConditionTrait {
    /// For a suite of ``SideBySide/lanes``.
    static var sideBySide: Self {
        .disabled(if: SideBySide.isOn, "SideBySideTests runs this beside others")
    }
}
