import Redaction

/// The secrets that options give to a command that speaks to hosts.
///
/// A host can repeat what it is sent, in the names of packs, in addresses and in messages, so everything that is printed passes
/// through here. The module Redaction is named here alone, for OnDemandResources has one of the same name.
enum OptionSecrets {
    /// Has the values of header fields, and user names and queries of addresses, left out from now on.
    static func hold(headers: [String], addresses: [String?]) {
        var secrets = HostSecrets()
        for line in headers { secrets.add(headerLine: line) }
        for address in addresses.compactMap(\.self) { secrets.add(url: address) }
        secrets.hold()
    }

    /// A text without what is held, and without what has a secret's form.
    static func redacted(_ text: String) -> String { Redaction.text(text) }

    /// An address without user name and query.
    static func redacted(address: String) -> String { Redaction.url(address) }
}
