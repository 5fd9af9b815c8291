import PackFormat

/// What Background Assets report where On-Demand Resources have errors of their own.
extension ResourceError {
    /// BAManagedErrorCodeAssetPackNotFound, `ManagedBackgroundAssetsError.assetPackNotFound(withID:)` in Swift.
    static func assetPackNotFound(_ identifiers: [String]) -> Self {
        let names = identifiers.map { "'\($0)'" }.joined(separator: ", ")
        return Self(
            domain: .managedAssets, code: 0, kind: .unexpected,
            message: "The manifest has no asset pack \(names). Check the identifier, and that the manifest is current."
        )
    }

    /// The error under the domain and number that this system of delivery uses.
    ///
    /// Apple documents none for a full device and none for a missing manifest: those are Foundation's.
    func named(by delivery: Delivery) -> Self {
        guard delivery == .backgroundAssets, domain == .cocoa else { return self }
        var error = self
        switch code {
        // NSFileWriteOutOfSpaceError.
        case 4992: error.code = 640
        // BAErrorCodeDownloadWouldExceedAllowance.
        case 4993: (error.domain, error.code) = (.backgroundAssets, 112)
        // NSURLErrorCannotParseResponse.
        case 4994: (error.domain, error.code, error.kind) = (.url, -1017, .network)
        default: break
        }
        return error
    }
}
