public import Foundation
import ResourceLoading

// The names are Apple's.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The device has no room for the resources (FoundationErrors.h).
public let NSBundleOnDemandResourceOutOfSpaceError = 4992
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The app would use more resources at once than the system allows.
public let NSBundleOnDemandResourceExceededMaximumSizeError = 4993
// swift-format-ignore: AlwaysUseLowerCamelCase
/// A tag is not in the app's tag table, or there is no manifest: the underlying error distinguishes them.
public let NSBundleOnDemandResourceInvalidTagError = 4994
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The least number of the errors about bundles.
public let NSBundleErrorMinimum = 4992
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The greatest number of the errors about bundles.
public let NSBundleErrorMaximum = 5119

extension CocoaError.Code {
    /// The device has no room for the resources: 4992.
    public static var bundleOnDemandResourceOutOfSpace: CocoaError.Code {
        CocoaError.Code(rawValue: NSBundleOnDemandResourceOutOfSpaceError)
    }

    /// The app would use more resources at once than the system allows: 4993.
    public static var bundleOnDemandResourceExceededMaximumSize: CocoaError.Code {
        CocoaError.Code(rawValue: NSBundleOnDemandResourceExceededMaximumSizeError)
    }

    /// A tag is not in the app's tag table, or there is no manifest: 4994.
    public static var bundleOnDemandResourceInvalidTag: CocoaError.Code {
        CocoaError.Code(rawValue: NSBundleOnDemandResourceInvalidTagError)
    }
}

extension CocoaError {
    /// The device has no room for the resources: 4992.
    public static var bundleOnDemandResourceOutOfSpace: CocoaError.Code { .bundleOnDemandResourceOutOfSpace }

    /// The app would use more resources at once than the system allows: 4993.
    public static var bundleOnDemandResourceExceededMaximumSize: CocoaError.Code {
        .bundleOnDemandResourceExceededMaximumSize
    }

    /// A tag is not in the app's tag table, or there is no manifest: 4994.
    public static var bundleOnDemandResourceInvalidTag: CocoaError.Code { .bundleOnDemandResourceInvalidTag }
}

extension NSNotification.Name {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Posted to the default centre when a request found no room, to ask for resources to be released.
    public static let NSBundleResourceRequestLowDiskSpace = NSNotification.Name(ResourceLoader.lowDiskSpaceNotification)
}

extension ResourceError {
    /// The error as Foundation represents it: type, domain, number, texts, and the underlying error.
    ///
    /// Foundation's NSError on Linux cannot be cast to the error type of its domain, so this returns that type.
    var bridged: any Error {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        if code == NSBundleOnDemandResourceInvalidTagError {
            info[NSLocalizedDescriptionKey] = "The requested application data doesn't exist."
            info[NSLocalizedFailureReasonErrorKey] = message
        }
        if let underlying {
            info[NSUnderlyingErrorKey] = NSError(
                domain: underlying.domain,
                code: underlying.code,
                userInfo: [NSLocalizedDescriptionKey: underlying.message]
            )
        }
        if domain == .cocoa { return CocoaError(CocoaError.Code(rawValue: code), userInfo: info) }
        // URLError.Code does not have every number.
        return URLError.Code(rawValue: code).map { URLError($0, userInfo: info) }
            ?? NSError(domain: domain.rawValue, code: code, userInfo: info)
    }
}
