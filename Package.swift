// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    .enableUpcomingFeature("InternalImportsByDefault"),
    // Not MemberImportVisibility (SE-0444): it takes a member of one of glibc's structs, such as `tv_sec`, for a member of
    // whichever C module was loaded first, so that a build would depend on the order of its steps (Swift 6.3.1).
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0481-weak-let.md
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
]

/// For targets that call C: every unsafe call is spelled out
/// (https://github.com/swiftlang/swift-evolution/blob/main/proposals/0458-strict-memory-safety.md).
let strictSettings = settings + [.strictMemorySafety()]

/// For targets that handle each packet or byte: optimized in debug builds too.
///
/// Otherwise a test could not fill a link of 50 Mbit/s, and would make packs for a third of its time. Targets of the
/// libraries have none, because SwiftPM refuses unsafe flags in what a package depends on.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// For targets that read arguments, call others and print: a release build takes less time if it does not optimize them.
let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let embedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let locks = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nio = [nioCore, nioPosix]
let http = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let http2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let negotiation = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let tls = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")

/// What the fuzz targets read with; see `docs/explanation/security.md`.
let fuzzed: [Target.Dependency] =
    [
        "AssetPacks", "Documents", "Evidence", "History", "HostTLS", "KernelLink", "LinkModel", "LinuxSupport",
        "Netlink", "PackFormat", "PackHost", "PacketLink", "ProxyLink", "Reports", "ResourceLoading", "ResultFiles",
        "Results", "SandboxMessages", "Scenarios", embedded, http, nioCore, system,
    ]

/// What `Fuzz/run` builds: `HEADWIND_FUZZ` is `plain`, or `planted` for readers that lack a bounds check.
let fuzzing = Context.environment["HEADWIND_FUZZ"]
let fuzzDefines: [SwiftSetting] =
    (fuzzing == nil ? [] : [.define("FUZZING")]) + (fuzzing == "planted" ? [.define("PLANTED_FAULT")] : [])

/// Whether only the programs are built, as `Scripts/headwind` does: benchmarks and tests take a minute more.
let buildsProgramsOnly = Context.environment["HEADWIND_BUILD"] == "programs"

/// The commit that `headwind --version` says, as HEADWIND_COMMIT gives it.
///
/// Not `Context.gitInformation`: SwiftPM keeps what a manifest said until its text or the environment changes, and so would
/// name an earlier commit.
let commit = Context.environment["HEADWIND_COMMIT"] ?? ""
let commitDefines: [CSetting] =
    commit.isEmpty || !commit.allSatisfy(\.isHexDigit)
    ? [] : [.define("HEADWIND_COMMIT", to: "\"\(commit.prefix(12).lowercased())\"")]

/// Inputs, and what makes them.
let notSwift = ["Cases", "Seeds", "all", "run", "seeds.py"]

/// The fuzz targets: tests that replay their seeds and cases, and where `Fuzz/run` builds them, a program of libFuzzer's.
let fuzzTargets: Target =
    fuzzing == nil
    ? .testTarget(
        name: "FuzzTests", dependencies: fuzzed, path: "Fuzz", exclude: notSwift + ["Program"],
        sources: ["Targets", "Tests"], swiftSettings: settings)
    : .executableTarget(
        name: "headwind-fuzz", dependencies: fuzzed, path: "Fuzz", exclude: notSwift + ["Tests"],
        sources: ["Targets", "Program"], swiftSettings: settings)

/// What is run.
let programs: [Target] = [
    // Commands.
    .executableTarget(
        name: "headwind",
        dependencies: [
            "AssetPacks", "CBuild", "Distribution", "Documents", "Events", "Evidence", "Execution", "Harness",
            "History", "HostTLS", "Hunting", "InterfaceShaping", "KernelLink", "LinkModel", "Links", "LinuxSupport",
            "PackFormat", "PackHost", "ProcessGuard", "ProxyAPI", "ProxyLink", "Redaction", "Reports",
            "ResourceLoading", "ResultFiles", "Results", "Scenarios", "Testbed", "Witness", "Wording", arguments,
            system,
        ],
        swiftSettings: settings + unoptimized),
    .executableTarget(
        name: "headwind-client",
        dependencies: [
            "Documents", "Events", "LinuxSupport", "PackFormat", "ResourceLoading", "Wording", arguments, system,
        ],
        swiftSettings: strictSettings),
    .executableTarget(
        name: "headwind-sandbox", dependencies: ["CLinux", "SandboxMessages", "LinuxSupport", "Netlink", system],
        swiftSettings: strictSettings),
    // Started for each attempt: without a library to load it starts in a third of the time.
    .executableTarget(
        name: "headwind-guard", dependencies: ["CLinux"],
        linkerSettings: [.unsafeFlags(["-static-executable"])]),
    // Without Swift's runtime, which takes as long to start as all of it.
    .executableTarget(
        name: "headwind-init", dependencies: ["CLinux"],
        linkerSettings: [.unsafeFlags(["-nostartfiles", "-static-executable"])]),

    // What an app uses, with Foundation's types. No program of Headwind's links Foundation, which is larger than all of them.
    .target(
        name: "OnDemandResources", dependencies: ["Events", "PackFormat", "ResourceLoading", system],
        swiftSettings: settings),

    // What drives a standing proxy from tests of apps: an HTTP client and processes of Foundation's, and nothing of Headwind's.
    .target(name: "HeadwindControl", swiftSettings: settings),

    // Programs of the user's behind a link, which `headwind exec` runs.
    .target(
        name: "Execution",
        dependencies: [
            "CLinux", "Evidence", "Harness", "KernelLink", "LinkModel", "Links", "LinuxSupport", "PacketLink",
            "ProcessGuard", "ProxyLink", "Redaction", "ResultFiles", "Results", "Scenarios", "Testbed", "Wording",
            system,
        ],
        swiftSettings: settings + unoptimized),

    // Parts of a run on other machines, by engines that are there.
    .target(
        name: "Distribution",
        dependencies: [
            "Documents", "LinuxSupport", "PackFormat", "ProcessGuard", "ResultFiles", "Results", "Wording", system,
        ],
        swiftSettings: settings + unoptimized),

    // What attempts leave to what is judged.
    .target(
        name: "Evidence",
        dependencies: [
            "Events", "LinkModel", "LinkProbe", "PackFormat", "PackHost", "ProcessGuard", "Redaction", "Results",
            "Scenarios", "Witness", "Wording",
        ],
        swiftSettings: settings),

    // What is tried in a hunt, what is new, and how a failure is made smaller.
    .target(name: "Hunting", dependencies: ["LinkModel", "Results"], swiftSettings: settings),

    // Scenario to verdict.
    .target(
        name: "Harness",
        dependencies: [
            "AssetPacks", "Documents", "Evidence", "HostTLS", "Hunting", "LinkModel", "LinkProbe", "Links",
            "LinuxSupport", "PackFormat", "PackHost", "PacketLink", "ProcessGuard", "ProxyLink", "Redaction",
            "ResultFiles",
            "Results", "Scenarios", "Testbed", "Witness", "Wording", system,
        ],
        swiftSettings: settings),

    // What a run leaves.
    .target(
        name: "ResultFiles",
        dependencies: [
            "Documents", "LinkModel", "LinuxSupport", "PackFormat", "PacketLink", "Redaction", "Reports", "Results",
            "Scenarios", "Wording", system,
        ],
        swiftSettings: settings),

    // What is read and shown.
    .target(
        name: "History", dependencies: ["CSQLite", "Documents", "Results", system], swiftSettings: strictSettings),
    .target(
        name: "Reports",
        dependencies: ["Documents", "Events", "LinkModel", "Redaction", "Results", "Wording", system],
        resources: [.embedInCode("HTML/Page")],
        swiftSettings: settings),
    .target(name: "Results", dependencies: ["Documents", "Redaction", "Wording"], swiftSettings: settings),
    .target(
        name: "Scenarios",
        dependencies: [
            "Documents", "LinkModel", "LinuxSupport", "PackFormat", "Redaction", "Results", "Wording", "YAML", system,
        ],
        swiftSettings: settings),

    // Engines.
    .target(
        name: "AssetPacks", dependencies: ["Documents", "LinkModel", "PackFormat", "Wording", system],
        swiftSettings: strictSettings + optimized),
    .target(
        name: "HostTLS", dependencies: ["CCrypto", "PackFormat", nioCore, tls], swiftSettings: strictSettings),
    .target(
        name: "ResourceLoading",
        dependencies: ["CCurl", "CLinux", "Events", "LinuxSupport", "PackFormat", "Wording", system],
        swiftSettings: strictSettings),
    .target(
        name: "InterfaceShaping", dependencies: ["CLinux", "KernelLink", "LinuxSupport", system],
        swiftSettings: strictSettings),
    .target(
        name: "KernelLink", dependencies: ["LinkModel", "LinuxSupport", "Netlink", system], swiftSettings: settings),
    .target(
        name: "PackHost",
        dependencies: ["LinkModel", "PackFormat", "Wording", http, http2, negotiation, system] + nio,
        swiftSettings: settings),
    .target(
        name: "PacketLink", dependencies: ["CLinux", "LinkModel", "LinuxSupport", system],
        swiftSettings: strictSettings + optimized),
    .target(
        name: "ProxyLink", dependencies: ["Documents", "LinkModel", "LinuxSupport", http] + nio,
        swiftSettings: settings + optimized),
    .target(
        name: "ProcessGuard", dependencies: ["CLinux", "LinuxSupport", system], swiftSettings: strictSettings),
    .target(
        name: "Testbed", dependencies: ["CLinux", "SandboxMessages", "LinuxSupport", "Netlink", system],
        swiftSettings: strictSettings),

    // Every backend of links: which can do what, how one comes up, is measured, and has faults played.
    .target(
        name: "Links",
        dependencies: [
            "KernelLink", "LinkModel", "LinkProbe", "LinuxSupport", "PacketLink", "ProxyLink", "Results",
            "SandboxMessages", "Testbed", system,
        ],
        swiftSettings: settings),

    // What drives a standing proxy: Toxiproxy's API, version 2 of the control API, and a page for people.
    .target(
        name: "ProxyAPI", dependencies: ["Documents", "LinkModel", "ProxyLink", "QRCode", "Wording"],
        resources: [.embedInCode("Page/Files")], swiftSettings: settings),

    // Independent measures.
    .target(name: "LinkProbe", dependencies: ["LinuxSupport"] + nio, swiftSettings: settings),
    .target(name: "Witness", dependencies: ["LinuxSupport", system], swiftSettings: strictSettings),

    // What engines share.
    .target(name: "SandboxMessages", dependencies: ["CLinux", system], swiftSettings: strictSettings),
    // A client's events, for the targets that write, read, judge or show them.
    .target(name: "Events", dependencies: ["Documents"], swiftSettings: settings),
    .target(name: "LinkModel", dependencies: ["Documents", deque, heap], swiftSettings: settings + optimized),
    // Threads, limits, the clock, files, the machine and the program itself, as Linux has them: for engines, which do not
    // import each other.
    .target(name: "LinuxSupport", dependencies: ["CLinux", system], swiftSettings: strictSettings),
    .target(name: "Netlink", dependencies: ["CNetlink", system], swiftSettings: strictSettings),
    .target(
        name: "PackFormat", dependencies: ["CCrypto", "CLibArchive", "Documents", "Wording", system],
        swiftSettings: strictSettings + fuzzDefines),
    .target(name: "QRCode", dependencies: ["CQRCode"], swiftSettings: strictSettings),
    .target(name: "YAML", dependencies: ["CYAML", "Documents"], swiftSettings: strictSettings),

    // Secrets taken out of what is written.
    .target(name: "Redaction", dependencies: ["Wording"], swiftSettings: settings),

    // JSON with the place of each value, values that encode themselves as JSON, and what is wrong in it as sentences.
    .target(name: "Documents", dependencies: ["Wording"], swiftSettings: settings),

    // What people are told: text from outside on a terminal, and what was meant.
    .target(name: "Wording", swiftSettings: settings),

    // C.
    .target(name: "CBuild", cSettings: commitDefines),
    .target(name: "CLinux"),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CLibArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
    .systemLibrary(name: "CNetlink", pkgConfig: "libnl-3.0", providers: [.apt(["libnl-3-dev"])]),
    .systemLibrary(name: "CQRCode", pkgConfig: "qrcodegen", providers: [.apt(["libqrcodegen-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
]

/// What benchmarks and tests are made of.
let development: [Target] = [
    // What benchmarks measure.
    .executableTarget(
        name: "gate-figures", dependencies: ["Results"], path: "Benchmarks/gate-figures", swiftSettings: settings),
    .executableTarget(
        name: "kernel-figures",
        dependencies: [
            "SandboxMessages", "KernelLink", "LinkModel", "Links", "Netlink", "PacketLink", "Scenarios", "Testbed",
            arguments, system,
        ],
        path: "Benchmarks/kernel-figures", swiftSettings: settings),
    .executableTarget(
        name: "packet-loop", dependencies: ["LinkModel", "PacketLink", "Witness", arguments, system],
        path: "Benchmarks/packet-loop", swiftSettings: settings),
    .executableTarget(
        name: "packet-times",
        dependencies: ["LinkModel", "PacketLink", "Scenarios", "Testbed", arguments, system],
        path: "Benchmarks/packet-times", swiftSettings: settings),

    // Tests.
    // A second opinion on messages; programs would load it in vain.
    .systemLibrary(
        name: "CNetlinkRoute", path: "Tests/CNetlinkRoute", pkgConfig: "libnl-route-3.0",
        providers: [.apt(["libnl-route-3-dev"])]),
    .target(name: "CTestbed", path: "Tests/CTestbed"),
    .executableTarget(name: "testbed-confine", path: "Tests/testbed-confine"),
    .executableTarget(
        name: "testbed-trial", dependencies: ["CLinux", "SandboxMessages", "Testbed", system],
        path: "Tests/testbed-trial", swiftSettings: settings),
    .testTarget(
        name: "AssetPacksTests", dependencies: ["AssetPacks", "PackFormat", system], swiftSettings: settings),
    .testTarget(name: "DocumentsTests", dependencies: ["Documents"], swiftSettings: settings),
    // Clients with bugs, which are to be found: they have nothing of the product's in them.
    .executableTarget(
        name: "broken-client", dependencies: ["CCrypto", "CCurl"], path: "Tests/BrokenClients/Swift",
        swiftSettings: settings),
    .testTarget(
        name: "BrokenClientsTests",
        dependencies: [
            "Evidence", "Harness", "LinkModel", "Links", "Reports", "Results", "Scenarios", "broken-client",
            "headwind-client", "headwind-guard", system,
        ],
        swiftSettings: settings),
    .testTarget(
        name: "DistributionTests",
        dependencies: ["Distribution", "LinuxSupport", "ResultFiles", "Results", system],
        exclude: ["requirements.txt"],
        swiftSettings: settings),
    .testTarget(
        name: "ExecutionTests",
        dependencies: [
            "Documents", "Execution", "Harness", "LinkModel", "Links", "LinuxSupport", "ProxyLink", "Scenarios",
            "Testbed", "headwind-guard",
        ],
        swiftSettings: settings),
    .testTarget(
        name: "HarnessTests",
        dependencies: [
            "AssetPacks", "Documents", "Events", "Evidence", "Harness", "HostTLS", "LinkModel", "LinkProbe", "Links",
            "LinuxSupport", "Netlink", "PackFormat", "PackHost", "PacketLink", "ProxyLink", "Reports",
            "ResultFiles", "Results", "Scenarios", "Testbed", "Witness", "headwind-client", "headwind-guard",
            "headwind-init", "headwind-sandbox",
            system,
        ],
        swiftSettings: settings),
    .testTarget(
        name: "EvidenceTests",
        dependencies: [
            "Events", "Evidence", "LinkModel", "PackFormat", "PackHost", "ProcessGuard", "Results", "Scenarios",
            system,
        ],
        swiftSettings: settings),
    .testTarget(
        name: "HeadwindControlTests", dependencies: ["HeadwindControl", "headwind"], swiftSettings: settings),
    .testTarget(
        name: "HistoryTests", dependencies: ["CSQLite", "History", "Results", system], exclude: ["Fixtures"],
        swiftSettings: settings),
    .testTarget(
        name: "HostTLSTests",
        dependencies: ["HostTLS", "PackFormat", "PackHost", nioPosix, system],
        exclude: ["frames.py"],
        swiftSettings: settings),
    .testTarget(
        name: "HuntingTests", dependencies: ["Hunting", "LinkModel", "PackFormat", "PackHost", "Results"],
        swiftSettings: settings),
    .testTarget(
        name: "KernelLinkTests",
        dependencies: [
            "CLinux", "CTestbed", "SandboxMessages", "KernelLink", "LinkModel", "Netlink", "Scenarios", "Testbed",
            "headwind-sandbox", "headwind-init", system,
        ],
        swiftSettings: settings),
    .testTarget(
        name: "LinkModelTests", dependencies: ["LinkModel", "Scenarios", system], exclude: ["packet-times.json"],
        swiftSettings: settings),
    .testTarget(name: "LinkProbeTests", dependencies: ["LinkProbe"] + nio, swiftSettings: settings),
    .testTarget(
        name: "LinkTests",
        dependencies: [
            "SandboxMessages", "KernelLink", "LinkModel", "Links", "ProxyLink", "Testbed", "headwind-sandbox",
            "headwind-init", system,
        ],
        swiftSettings: settings),
    .testTarget(name: "LinuxSupportTests", dependencies: ["LinuxSupport", system], swiftSettings: settings),
    .testTarget(
        name: "NetlinkTests",
        dependencies: ["CLinux", "CNetlinkRoute", "CTestbed", "Netlink", "testbed-confine", system],
        swiftSettings: settings),
    .testTarget(
        name: "OnDemandResourcesTests",
        dependencies: [
            "Events", "HostTLS", "OnDemandResources", "PackFormat", "PackHost", "ResourceLoading", "Wording",
            "headwind-client", system,
        ],
        swiftSettings: settings),
    .testTarget(name: "PackFormatTests", dependencies: ["PackFormat", system], swiftSettings: settings),
    .testTarget(
        name: "PackHostTests", dependencies: ["HostTLS", "PackFormat", "PackHost", nioPosix, system],
        swiftSettings: settings),
    .testTarget(
        name: "PacketLinkTests",
        dependencies: [
            "LinkModel", "PacketLink", "SandboxMessages", "Scenarios", "Testbed", "headwind-init",
            "headwind-sandbox", system,
        ],
        swiftSettings: settings),
    .testTarget(
        name: "ProcessGuardTests", dependencies: ["ProcessGuard", "headwind-guard", system], swiftSettings: settings
    ),
    .testTarget(
        name: "ProxyLinkTests",
        dependencies: ["LinkModel", "ProxyLink", "Scenarios", embedded, http, locks, system] + nio,
        swiftSettings: settings),
    .testTarget(name: "QRCodeTests", dependencies: ["QRCode"], swiftSettings: settings),
    .testTarget(name: "RedactionTests", dependencies: ["Redaction"], swiftSettings: settings),
    .testTarget(
        name: "ReportsTests",
        dependencies: ["Documents", "Events", "LinkModel", "Redaction", "Reports", "Results", system],
        exclude: ["Golden"],
        swiftSettings: settings),
    .testTarget(name: "RepositoryTests", swiftSettings: settings),
    .testTarget(
        name: "ResultFilesTests",
        dependencies: ["Reports", "ResultFiles", "Results", system], swiftSettings: settings),
    .testTarget(name: "ResultsTests", dependencies: ["Documents", "Events", "Results"], swiftSettings: settings),
    .testTarget(
        name: "ScenariosTests",
        dependencies: ["Documents", "LinkModel", "PackFormat", "Redaction", "Results", "Scenarios", system],
        swiftSettings: settings),
    .testTarget(
        name: "ScriptTests", dependencies: ["ProcessGuard", "headwind-guard", system], swiftSettings: settings),
    .testTarget(
        name: "TestbedTests",
        dependencies: [
            "CLinux", "CTestbed", "SandboxMessages", "Netlink", "ProcessGuard", "Testbed", "headwind-sandbox",
            "headwind-guard", "headwind-init", "testbed-confine", "testbed-trial", system,
        ],
        swiftSettings: settings),
    .testTarget(
        name: "ProxyAPITests",
        dependencies: ["Documents", "LinkModel", "ProxyAPI", "ProxyLink", "Scenarios", system],
        swiftSettings: settings),
    .testTarget(name: "WitnessTests", dependencies: ["Witness"], swiftSettings: settings),
    .testTarget(name: "WordingTests", dependencies: ["Wording"], swiftSettings: settings),
    .testTarget(
        name: "headwindTests",
        dependencies: [
            "AssetPacks", "Documents", "Execution", "Harness", "History", "InterfaceShaping", "KernelLink", "LinkModel",
            "Links", "PackFormat", "PackHost", "ProxyLink", "ResultFiles",
            "Results", "Scenarios", "Testbed", "Wording", "headwind", "headwind-sandbox", "headwind-guard",
            "headwind-init", "testbed-confine", arguments, system,
        ],
        exclude: ["Released", "SSH", "Schemathesis", "Slurm", "Toxiproxy"],
        swiftSettings: settings),
]

let package = Package(
    name: "headwind",
    products: [
        .executable(name: "headwind", targets: ["headwind"]),
        .executable(name: "headwind-sandbox", targets: ["headwind-sandbox"]),
        .executable(name: "headwind-client", targets: ["headwind-client"]),
        .executable(name: "headwind-guard", targets: ["headwind-guard"]),
        .executable(name: "headwind-init", targets: ["headwind-init"]),
        .library(name: "OnDemandResources", targets: ["OnDemandResources"]),
        .library(name: "HeadwindControl", targets: ["HeadwindControl"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    ],
    targets: programs + (buildsProgramsOnly ? [] : development + [fuzzTargets]))
