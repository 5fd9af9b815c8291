// swift-tools-version: 6.2
import PackageDescription

/// An app that depends on Headwind's library like any other package.
let package = Package(
    name: "levels",
    dependencies: [.package(name: "headwind", path: "..")],
    targets: [
        .executableTarget(
            name: "levels", dependencies: [.product(name: "OnDemandResources", package: "headwind")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ])
