import Wording

/// Domains of errors that Apple's frameworks have, by which a misspelt one is told from one of somebody's own.
enum ErrorDomain {
    private static let known = [
        "NSURLErrorDomain", "NSCocoaErrorDomain", "NSPOSIXErrorDomain", "_NSBundleResourceRequestErrorDomain",
        "NSOSStatusErrorDomain", "NSMachErrorDomain", "NSStreamSocketSSLErrorDomain", "NSStreamSOCKSErrorDomain",
        "NSXMLParserErrorDomain", "NSNetServicesErrorDomain", "NSItemProviderErrorDomain", "NSSQLiteErrorDomain",
        "kCFErrorDomainCFNetwork",
    ]

    /// The one that was probably meant by a text that is none of them; nil where it may be a domain of somebody's own.
    ///
    /// A domain such as `MyURLErrorDomain` or `GameErrorDomain` is near enough to be meant by other measures: `NS` before it,
    /// which nobody else may use, counts for more than its ending. In a short one a single letter makes another word: `NSXMLErrorDomain`.
    static func meant(by text: String) -> String? {
        guard !known.contains(text) else { return nil }
        let plain = text.lowercased()
        let isApples = plain.hasPrefix("ns") || plain.hasPrefix("_ns")
        let near = known.map { ($0, NearestName.distance(plain, $0.lowercased())) }.min { $0.1 < $1.1 }
        if let (name, distance) = near, distance <= (isApples && name.count > 16 ? 2 : 1) { return name }
        guard isApples, plain.count > 4 else { return nil }
        return known.first { $0.lowercased().hasPrefix(plain) }
    }
}
