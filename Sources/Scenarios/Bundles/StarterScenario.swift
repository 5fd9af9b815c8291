/// A first scenario, as a text with comments that explain what to change.
package struct StarterScenario: Sendable {
    /// What is downloaded.
    package enum Source: Sendable {
        /// The catalog `shapes`, which comes with Headwind.
        case example
        /// A folder of resources, with a tag file or by folders, and a tag to ask for.
        case catalog(folder: String, isByFolder: Bool, tag: String)
        /// A folder of packs, and what to ask for: a tag, or a file's name; `isSecure` where addresses in it are https.
        case packs(folder: String, tag: String, isSecure: Bool = false)
        /// The manifest of a host of somebody else.
        case manifest(url: String, isSecret: Bool)
        /// A file of a host of somebody else, fetched by curl.
        case file(url: String, isSecret: Bool)
    }

    package var title: String
    package var source: Source

    package init(title: String, source: Source) {
        self.title = title
        self.source = source
    }

    /// The variable that a token is taken from.
    package static let tokenVariable = "DOWNLOAD_TOKEN"

    /// The text of the file.
    package var text: String {
        """
        # A first scenario, made by 'headwind init'. Run it: headwind run FILE
        scenario: \(Self.quoted(title))

        # What is downloaded.
        \(content)

        # The network: 'headwind profile list' shows others, such as edge, lte or wifi.
        link: {profile: 3g, seed: 1}

        # What the client does.
        \(workload)

        # What must happen, in every attempt.
        expect: \(expectation)

        \(budgets)

        # So many attempts count; a median needs five.
        attempts: 5

        # An attempt is ended after twice the time of a perfect client, and 120 s at least; a request after 60 s without a byte.
        # deadline: 600 s
        # patience: 60 s

        # One scenario over several networks: take the '#' away.
        # matrix: {link.profile: [3g, lte]}

        """
    }

    private var content: String {
        switch source {
        case .example:
            return "# This catalog comes with Headwind; a folder of your own is written ./FOLDER.\ncatalog: shapes"
        case .catalog(let folder, let isByFolder, _):
            let name = Self.quoted(folder)
            return isByFolder ? "catalog: {folder: \(name), tags: by-folder}" : "catalog: \(name)"
        case .packs(let folder, _, let isSecure):
            let tls = "\n# Its manifest has https addresses, and the client trusts the host's own authority.\ntls: true"
            return "packs: \(Self.quoted(folder))" + (isSecure ? tls : "")
        case .manifest(let url, let isSecret): return Self.host(url, isSecret, "")
        case .file(let url, let isSecret):
            return Self.host(url, isSecret, ", and curl's --header '@{headers}' below sends it")
        }
    }

    private static func host(_ url: String, _ isSecret: Bool, _ how: String) -> String {
        let token = "  # The environment variable that holds a bearer token\(how). No secret belongs into this file.\n"
        return "host:\n  url: \(quoted(url))\n" + token
            + (isSecret ? "  token-env: \(tokenVariable)" : "  # token-env: \(tokenVariable)")
    }

    private var workload: String {
        func request(_ tag: String) -> String { "workload:\n  - request: {tags: [\(Self.quoted(tag))]}" }
        switch source {
        case .example: return request("circle")
        case .catalog(_, _, let tag), .packs(_, let tag, _): return request(tag)
        case .manifest:
            return "# Put a tag of yours in the place of level-1.\n" + request("level-1")
        case .file(let url, let isSecret):
            let header = isSecret ? "--header, '@{headers}', " : ""
            let address = Self.quoted(Template.escaping(url))
            return """
                workload:
                  command: [curl, --fail, --location, --silent, --show-error, \(header)--output, '{output}', \(address)]
                """
        }
    }

    private var expectation: String { if case .file = source { "{exit: 0}" } else { "available" } }

    private var budgets: String {
        let hint = """
            # Limits. After a good run 'headwind run FILE --suggest-budgets' prints some with numbers that were measured.
            budgets:

            """
        // Of somebody else's host nobody knows what is ideal, and which requests it had.
        let fixed = """
              # Until then any time will do that is within the deadline.
              time_to_available: max <= 120 s
            """
        let progress = "\n  progress: [monotonic, ends at 1]"
        switch source {
        case .example, .catalog, .packs:
            return hint + """
                  # Nothing is fetched twice.
                  redundant_bytes: max <= 0
                  # As fast as the link allows, and half as much again.
                  time_to_available: median <= 1.5 x ideal + 500 ms
                """ + progress
        case .manifest: return hint + fixed + progress
        case .file: return hint + fixed
        }
    }

    /// A text as YAML has it, on one line.
    package static func quoted(_ text: String) -> String {
        YAMLNode.made(text).text.trimmingSuffix { $0.isNewline }
    }
}

extension String {
    fileprivate func trimmingSuffix(while belongs: (Character) -> Bool) -> String {
        var rest = self[...]
        while let last = rest.last, belongs(last) { rest = rest.dropLast() }
        return String(rest)
    }
}
