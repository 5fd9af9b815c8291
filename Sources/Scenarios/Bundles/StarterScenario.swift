import LinkModel
import Results

/// A first scenario, as a text with comments that explain what to change.
package struct StarterScenario: Sendable {
    /// What is downloaded.
    package enum Source: Sendable {
        /// The catalog `shapes`, which comes with Headwind.
        case example
        /// A folder of resources, with a tag file or by folders, and a tag to ask for.
        case catalog(folder: String, isByFolder: Bool, tag: String)
        /// A folder of manifests of Background Assets, and a pack to ask for.
        case backgroundAssets(folder: String, pack: String)
        /// A folder of packs, and a tag or a file's name to ask for; `isSecure` if addresses in it are https.
        case packs(folder: String, tag: String, isSecure: Bool = false)
        /// The manifest of a host that Headwind did not start.
        case manifest(url: String, isSecret: Bool)
        /// A file of a host that Headwind did not start, fetched by curl.
        case file(url: String, isSecret: Bool)
    }

    /// The network of the scenario.
    package enum Network: String, CaseIterable, Sendable {
        case threeG = "3g"
        case lte

        /// A faster profile, as an example for a matrix.
        fileprivate var faster: String { self == .threeG ? "lte" : "wifi" }

        fileprivate var title: String { rawValue.uppercased() }
    }

    /// What is downloaded, as the beginning of a sentence: `Pictures arrive`.
    package var title: String
    package var source: Source
    /// The user's client, which fetches the pack of the source's tag; nil: the built-in client, or curl for a file.
    package var client: Client?
    package var network = Network.threeG
    /// How long a perfect client takes over the network; nil if it is unknown.
    package var ideal: Duration?

    package init(title: String, source: Source) {
        self.title = title
        self.source = source
    }

    /// Whether it downloads from a host that Headwind did not start.
    package var isForeign: Bool {
        switch source {
        case .example, .catalog, .packs, .backgroundAssets: false
        case .manifest, .file: true
        }
    }

    /// The deadline of an attempt; 600 s for a host that Headwind did not start.
    package var deadline: Duration { isForeign ? .seconds(600) : Cell.deadline(ideal: ideal ?? .zero) }

    /// The environment variable that holds a token.
    package static let tokenVariable = "DOWNLOAD_TOKEN"

    /// The text of the file.
    package var text: String {
        """
        # A first scenario, made by 'headwind init'. Run it: headwind run FILE
        scenario: \(Self.quoted("\(title) over \(network.title)"))

        # What is downloaded.
        \(content)

        # The network: 'headwind profile list' shows others, such as edge, lte or wifi.
        link: {profile: \(network.rawValue), seed: 1}

        # What the client does.
        \(workload)
        \(faults)
        # What must happen, in every attempt.
        expect: \(expectation)

        \(budgets)

        # Number of attempts; a median needs at least 5.
        attempts: 5

        # \(reason)
        deadline: \(deadline.text)
        # \(client == nil ? "A request fails" : "A client that uses {patience} gives up") after this time without a byte.
        patience: 60 s

        # To run over several networks, remove the '#'.
        # matrix: {link.profile: [\(network.rawValue), \(network.faster)]}

        """
    }

    private var content: String {
        switch source {
        case .example:
            return "# This catalog comes with Headwind; write ./FOLDER for a folder of your own.\ncatalog: shapes"
        case .catalog(let folder, let isByFolder, _):
            let name = Self.quoted(folder)
            return isByFolder ? "catalog: {folder: \(name), tags: by-folder}" : "catalog: \(name)"
        case .backgroundAssets(let folder, _):
            return "# Packs of Background Assets; use their names as tags.\n"
                + "catalog: {background-assets: \(Self.quoted(folder))}"
        case .packs(let folder, _, let isSecure):
            let tls =
                "\n# Its manifest has https addresses; the client trusts the host's own certificate authority.\ntls: true"
            return "packs: \(Self.quoted(folder))" + (isSecure ? tls : "")
        case .manifest(let url, let isSecret): return Self.host(url, isSecret, "")
        case .file(let url, let isSecret):
            return Self.host(url, isSecret, ", and curl's --header '@{headers}' below sends it")
        }
    }

    private static func host(_ url: String, _ isSecret: Bool, _ how: String) -> String {
        let token = "  # The environment variable that holds a bearer token\(how). No secret belongs in this file.\n"
        return "host:\n  url: \(quoted(url))\n" + token
            + (isSecret ? "  token-env: \(tokenVariable)" : "  # token-env: \(tokenVariable)")
    }

    private var workload: String {
        func request(_ tag: String) -> String { "workload:\n  - request: {tags: [\(Self.quoted(tag))]}" }
        if let clientWorkload { return clientWorkload }
        switch source {
        case .example: return request("circle")
        case .catalog(_, _, let tag), .packs(_, let tag, _), .backgroundAssets(_, let tag): return request(tag)
        case .manifest:
            return "# Replace level-1 with one of your tags.\n" + request("level-1")
        case .file(let url, let isSecret):
            let header = isSecret ? "--header, '@{headers}', " : ""
            let address = Self.quoted(Template.escaping(url))
            return """
                workload:
                  command: [curl, --fail, --location, --silent, --show-error, \(header)--output, '{output}', \(address)]
                """
        }
    }

    /// The comment on the deadline.
    private var reason: String {
        guard let ideal else { return "Kill the client after this time." }
        let best = Quantity(ideal.seconds, .seconds).rounded()
        return "Kill the client after this time."
            + (isForeign
                ? " The size is unknown: \(Self.sampleBytes / 1_000_000) MB take \(best) at best."
                : " A perfect download takes \(best).")
    }

    /// The size that ``ideal`` refers to if the real size is unknown: 10 MB.
    package static let sampleBytes: Int64 = 10_000_000

    private var expectation: String { if case .file = source { "{exit: 0}" } else { "available" } }

    private var budgets: String {
        let hint = """
            # Limits. After a good run, 'headwind run FILE --suggest-budgets' suggests some from measured numbers.
            budgets:

            """
        // For a host that Headwind did not start, neither the ideal time nor the requests are known.
        let fixed = """
              # Until then, any time within the deadline passes.
              time_to_available: max <= \(deadline.text)
            """
        let progress = "\n  progress: [monotonic, ends at 1]"
        if client != nil { return hint + Self.clientBudgets }
        switch source {
        case .example, .catalog, .packs, .backgroundAssets:
            return hint + """
                  # Nothing is fetched twice.
                  redundant_bytes: max <= 0
                  # At most 1.5 times as long as a perfect client, plus 500 ms.
                  time_to_available: median <= 1.5 x ideal + 500 ms
                """ + progress
        case .manifest: return hint + fixed + progress
        case .file: return hint + fixed
        }
    }

    /// A text in YAML syntax, on one line.
    package static func quoted(_ text: String) -> String { String(YAMLNode.made(text).text.dropLast()) }
}
