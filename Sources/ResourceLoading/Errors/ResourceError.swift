package import Events
import PackFormat

/// Why a request for resources failed, under the domain and number that Apple's API gives it.
package struct ResourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The domain that a code belongs to.
    package enum Domain: String, Hashable, Sendable {
        /// Foundation's, including those of On-Demand Resources: 4992 to 4994.
        case cocoa = "NSCocoaErrorDomain"
        /// Those of URL loading: all are negative.
        case url = "NSURLErrorDomain"
        /// Those of asset packs of Background Assets that the system manages: `BAManagedErrorCode`.
        case managedAssets = "BAManagedErrorDomain"
        /// Those of downloads of Background Assets: `BAErrorCode`.
        case backgroundAssets = "BAErrorDomain"
    }

    /// The classes of errors that an app reports to its users in different ways.
    package enum Kind: String, Hashable, Sendable {
        /// The network or the host: trying again elsewhere or later may help.
        case network
        /// The device has no room, or the app uses too much at once.
        case storage
        /// Anything else: mostly a mistake in the app or in its packs.
        case unexpected
    }

    /// The error of a lower layer, to find the cause.
    package typealias Underlying = ClientEvent.Cause

    package var domain: Domain
    package var code: Int
    package var kind: Kind
    /// What was attempted, on what, what the system said, what to try.
    package var message: String
    package var underlying: Underlying?

    package var description: String { "\(message) (\(domain.rawValue) \(code))" }

    /// Writes the error into the event of the callback of the request `id`.
    package func tell(in event: inout ClientEvent, of id: String) {
        (event.id, event.domain, event.code, event.class) = (id, domain.rawValue, code, kind.rawValue)
        (event.message, event.underlying) = (message, underlying)
    }

    /// NSBundleOnDemandResourceOutOfSpaceError.
    static func outOfSpace(_ message: String, underlying: Underlying? = nil) -> Self {
        Self(domain: .cocoa, code: 4992, kind: .storage, message: message, underlying: underlying)
    }

    /// NSBundleOnDemandResourceExceededMaximumSizeError.
    static func exceededMaximumSize(_ message: String) -> Self {
        Self(domain: .cocoa, code: 4993, kind: .storage, message: message)
    }

    /// NSBundleOnDemandResourceInvalidTagError.
    static func invalidTag(_ message: String, underlying: Underlying? = nil) -> Self {
        Self(domain: .cocoa, code: 4994, kind: .unexpected, message: message, underlying: underlying)
    }

    /// NSUserCancelledError.
    static let cancelled = Self(
        domain: .cocoa,
        code: 3072,
        kind: .unexpected,
        message: "The request was cancelled."
    )

    /// NSFileWriteUnknownError: the store could not be written, for a reason other than space.
    static func storeFailed(_ message: String, underlying: Underlying) -> Self {
        Self(domain: .cocoa, code: 512, kind: .storage, message: message, underlying: underlying)
    }

    /// The host offers no readable manifest or tag table: 4994; only its cause distinguishes it from a wrong tag.
    static func noManifest(_ message: String) -> Self {
        let cause = Underlying(domain: "_NSBundleResourceRequestErrorDomain", code: 100, message: message)
        return .invalidTag("The requested application data doesn't exist: \(message)", underlying: cause)
    }
}

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
