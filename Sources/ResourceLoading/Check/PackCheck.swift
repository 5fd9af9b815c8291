import PackFormat

/// Checks one pack of a manifest.
struct PackCheck: Sendable {
    let resource: AssetPackManifest.Resource
    /// The manifest's URL, against which a relative one is resolved.
    let base: String
    /// Whether every kind of range is tried, or only the one that the client uses.
    let isThorough: Bool
    let prober: Prober

    func run() async -> HostReport.Pack {
        guard let url = CurlURL(base)?.resolve(resource.url) else {
            let finding = HostFinding(.reachable, .fails, "its address in the manifest is not an http or https URL")
            return HostReport.Pack(pack: resource.bundleKey, url: "(no URL)", findings: [finding])
        }
        var pack = HostReport.Pack(pack: resource.bundleKey, url: Redaction.url(url), findings: [])
        guard !prober.isOver else {
            pack.findings = [HostFinding(.reachable, .unchecked, "no time was left for it: use a longer --limit")]
            return pack
        }
        let head = await prober.ask(url, .head)
        guard head.failure == nil, head.status == 200, let answered = head.head else {
            // Some hosts refuse only HEAD, so the finding names the request.
            pack.findings = [HostFinding(.reachable, .fails, "HEAD: \(head.text)")] + redirects(head)
            return pack
        }
        pack.bytes = answered.contentLength
        pack.findings = [HostFinding(.reachable, .holds, "status 200")] + redirects(head)
        if let encoding = answered.contentEncoding {
            let text =
                "sent as \(encoding), which the client did not ask for: packs arrive altered. Switch it off."
            pack.findings.append(HostFinding(.compression, .fails, text))
        }
        pack.findings += await findings(on: url, answered)
        return pack
    }

    private func redirects(_ answer: ProbeAnswer) -> [HostFinding] {
        guard let last = answer.redirects.last else { return [] }
        let count = answer.redirects.count
        return [HostFinding(.redirects, .note, "\(count) \(count == 1 ? "redirect" : "redirects"), to \(last)")]
    }

    private func findings(on url: String, _ head: ResponseHead) async -> [HostFinding] {
        let rules = PackRules(resource: resource, head: head)
        guard let size = head.contentLength else {
            return [HostFinding(.size, .fails, "HEAD has no Content-Length: the size is unknown before the download")]
        }
        guard size > 1 else { return [rules.size(nil)] + rules.etag(nil) }
        let rest = await prober.ask(url, fields: ["Range: bytes=\(size - 1)-"], most: 1, wantsPart: true)
        let range = rules.range(rest, (size - 1)...(size - 1))
        var findings = [range, rules.size(rest)] + rules.etag(rest.head)
        guard isThorough else { return findings }
        if let finding = await compression(url, head) { findings.append(finding) }
        guard range.verdict == .holds else {
            return findings + [HostFinding(.ifRange, .unchecked, "the host does not serve ranges")]
        }
        return findings.filter { $0.property != .range } + [await parts(url, size, rules)] + [
            rules.suffixRange(await prober.ask(url, fields: ["Range: bytes=-1"], most: 1, wantsPart: true), size),
            rules.beyondEnd(await prober.ask(url, fields: ["Range: bytes=\(size)-"], most: 1, wantsPart: true), size),
            await ifRange(url, size, rest.head ?? head, rules),
        ]
    }

    private func parts(_ url: String, _ size: Int64, _ rules: PackRules) async -> HostFinding {
        let first = size / 2
        let last = min(size - 1, first + 15)
        let answer = await prober.ask(url, fields: ["Range: bytes=\(first)-\(last)"], most: 16, wantsPart: true)
        return rules.range(answer, first...last)
    }

    /// Resumes as a client does, once with the file's own validator and once with a wrong one.
    private func ifRange(_ url: String, _ size: Int64, _ head: ResponseHead, _ rules: PackRules) async -> HostFinding {
        guard let validator = head.validator else {
            return HostFinding(.ifRange, .unchecked, "the host sends neither a strong ETag nor a date")
        }
        let range = "Range: bytes=\(size - 1)-"
        let same = await prober.ask(url, fields: [range, "If-Range: \(validator)"], most: 1, wantsPart: true)
        let other = await prober.ask(url, fields: [range, "If-Range: \"headwind-check\""], most: 1, wantsPart: true)
        return rules.ifRange(same, other)
    }

    private func compression(_ url: String, _ head: ResponseHead) async -> HostFinding? {
        guard head.contentEncoding == nil else { return nil }
        let answer = await prober.ask(url, .head, fields: ["Accept-Encoding: gzip, deflate, br, zstd"])
        guard let encoding = answer.head?.contentEncoding else {
            return HostFinding(.compression, .holds, "none: files arrive unchanged")
        }
        return HostFinding(.compression, .note, "\(encoding) for clients that ask for it; the device does not ask")
    }
}
