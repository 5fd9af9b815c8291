import FoundationEssentials

/// The environment of this process.
enum Environment {
    static var all: [String: String] { ProcessInfo.processInfo.environment }

    static func value(_ name: String) -> String? { all[name] }

    /// Whether a variable tells programs of a proxy, in either case.
    static func isProxyVariable(_ name: String) -> Bool {
        let lowercased = name.lowercased()
        return lowercased.hasSuffix("_proxy") || lowercased == "proxy"
    }
}
