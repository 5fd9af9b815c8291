import Redaction

/// The secrets in the options of a command that connects to hosts.
///
/// A host can repeat them in the names of packs, in addresses and in messages, so all output passes through here. Files
/// that import ResourceLoading, which has a type Redaction, use the module Redaction only through here.
enum OptionSecrets {
    /// From now on leaves out the values of header fields, and the user names and queries of addresses.
    static func hold(headers: [String], addresses: [String?]) {
        var secrets = HostSecrets()
        for line in headers { secrets.add(headerLine: line) }
        for address in addresses.compactMap(\.self) { secrets.add(url: address) }
        secrets.hold()
    }

    /// A text without the known secrets, and without parts that have the form of a secret.
    static func redacted(_ text: String) -> String { Redaction.text(text) }

    /// An address without user name and query.
    static func redacted(address: String) -> String { Redaction.url(address) }
}
