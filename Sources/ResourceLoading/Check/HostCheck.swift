import LinuxSupport
import PackFormat

/// Checks whether a server can host packs, with a few small requests, each limited in time and bytes.
package struct HostCheck: Sendable {
    /// The manifest's absolute URL.
    package var manifest: String
    /// How requests reach the host; its `patience` is the longest that one request may take.
    package var transfers = TransferConfiguration()
    /// The time limit of the whole check; 5 minutes unless set.
    package var limit = Duration.seconds(300)
    /// How many packs are checked at once; 8 unless set.
    package var parallel = 8
    /// How many of the largest packs are checked with every kind of range; 4 unless set.
    package var thorough = 4

    package init(manifest: String) { self.manifest = manifest }

    /// The largest size of a manifest or a tag table, in bytes.
    private static let mostBytes = 16 << 20

    /// The manifest's URL for what a user names: a property list or JSON file itself, else the manifest in that folder.
    ///
    /// nil if it is not an http or https URL.
    package static func manifestURL(_ text: String) -> String? {
        guard let url = CurlURL(text) else { return nil }
        let path = Site.downloadManifestPath
        let isList = [".plist", ".json"].contains(where: url.fileName.hasSuffix) || "/\(url.fileName)" == path
        if isList { return text }
        return CurlURL(text.hasSuffix("/") ? text : text + "/")?.resolve(Site.manifestName)
    }

    /// Runs the check; calls `told` with the number of packs that are done, and of all.
    ///
    /// Throws the system's error if it has no memory or thread left.
    package func run(told: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }) async throws
        -> HostReport
    {
        var configuration = transfers
        configuration.parallel = parallel
        let loop = try TransferLoop(configuration)
        let prober = Prober(
            loop: loop, patience: transfers.patience, deadline: MonotonicClock.now + limit.nanoseconds)
        let report = await report(prober, told)
        await loop.close()
        return report
    }

    private func report(_ prober: Prober, _ told: @escaping @Sendable (Int, Int) -> Void) async -> HostReport {
        var report = HostReport(url: Redaction.url(manifest))
        let answer = await prober.ask(manifest, most: Self.mostBytes)
        report.findings += await Self.findings(onTLSOf: manifest, answer.failure, by: prober)
        guard answer.failure == nil, answer.status == 200, !answer.isTooLong else {
            report.isReachable = answer.head != nil || answer.failure?.kind.isOfTLS == true
            let reason = answer.isTooLong ? "it has more than \(Self.mostBytes) bytes" : answer.text
            report.findings.append(.init(.manifest, .fails, "could not be fetched: \(reason)"))
            return report
        }
        guard let list = try? AssetPackManifest(plist: answer.body) else {
            report.findings.append(.init(.manifest, .fails, "the host's answer is not an asset pack manifest"))
            return report
        }
        report.findings.append(.init(.manifest, .holds, "\(list.resources.count) packs"))
        // Background Assets have no tag table.
        if list.delivery == .onDemandResources { report.findings.append(await tagTable(prober)) }
        report.findings += await others(list, prober)
        report.packs = await packs(list, prober, told)
        return report
    }

    private func tagTable(_ prober: Prober) async -> HostFinding {
        guard let url = CurlURL(manifest)?.resolve(Site.tagTableName) else {
            return HostFinding(.tagTable, .note, "no address next to the manifest")
        }
        let answer = await prober.ask(url, most: Self.mostBytes)
        guard answer.failure == nil, answer.status == 200, !answer.isTooLong else {
            let text =
                "none next to the manifest (\(answer.text)): apps have their own, 'headwind request' needs --tag-table"
            return HostFinding(.tagTable, .note, text)
        }
        guard let table = try? TagTable(plist: answer.body) else {
            return HostFinding(.tagTable, .fails, "the host's \(Site.tagTableName) is not a tag table")
        }
        return HostFinding(.tagTable, .holds, "\(table.packsByTag.count) tags")
    }

    /// The TLS findings of other origins that have packs, for the first four of them.
    private func others(_ list: AssetPackManifest, _ prober: Prober) async -> [HostFinding] {
        var seen: Set<String> = [CurlURL(manifest)?.origin ?? ""]
        var findings: [HostFinding] = []
        for resource in list.resources {
            guard seen.count <= 4, let url = CurlURL(manifest)?.resolve(resource.url),
                let origin = CurlURL(url)?.origin,
                seen.insert(origin).inserted
            else { continue }
            let answer = await prober.ask(url, .head)
            findings += await Self.findings(onTLSOf: url, answer.failure, by: prober).map { finding in
                var finding = finding
                finding.detail = "\(origin): \(finding.detail)"
                return finding
            }
        }
        return findings
    }

    /// The report of one pack, with its place in the manifest.
    private struct Checked {
        let index: Int
        let pack: HostReport.Pack
    }

    private func packs(
        _ list: AssetPackManifest, _ prober: Prober, _ told: @escaping @Sendable (Int, Int) -> Void
    ) async -> [HostReport.Pack] {
        let count = list.resources.count
        let largest = list.resources.indices.sorted {
            (list.resources[$0].uncompressedSize, -$0) > (list.resources[$1].uncompressedSize, -$1)
        }
        let thorough = Set(largest.prefix(self.thorough))
        return await withTaskGroup(of: Checked.self) { group in
            var found: [HostReport.Pack?] = Array(repeating: nil, count: count)
            var (next, done) = (0, 0)
            while done < count {
                while next < count, next - done < max(1, parallel) {
                    let check = PackCheck(
                        resource: list.resources[next], base: manifest, isThorough: thorough.contains(next),
                        prober: prober)
                    group.addTask { [index = next] in Checked(index: index, pack: await check.run()) }
                    next += 1
                }
                guard let checked = await group.next() else { break }
                found[checked.index] = checked.pack
                done += 1
                told(done, count)
            }
            return found.compactMap(\.self)
        }
    }

    /// The findings about an address's TLS; for plain http a single note.
    ///
    /// `failure` is how a request that checks certificates failed; nil if it was answered.
    static func findings(onTLSOf url: String, _ failure: DownloadFailure?, by prober: Prober) async -> [HostFinding] {
        guard CurlURL(url)?.isSecure == true else {
            let text =
                "plain http: an app needs an App Transport Security exception for it; otherwise use https"
            return [HostFinding(.tls, .note, text)]
        }
        guard let failure else { return await spoken(url, prober) }
        switch failure.kind {
        case .handshake: return [await refused(url, failure, prober)]
        case .certificateExpired, .certificateNotYetValid, .certificateUntrusted, .certificateRootUnknown:
            let seen = await prober.shakeHands(url, .usual)
            let problem = CertificateChain(certificates: seen.certificates).problem(failure.kind) ?? failure.detail
            return [HostFinding(.tls, .holds, "TLS 1.2 or later"), HostFinding(.certificate, .fails, problem)]
        default: return [HostFinding(.tls, .unchecked, failure.detail)]
        }
    }

    private static func spoken(_ url: String, _ prober: Prober) async -> [HostFinding] {
        let seen = await prober.shakeHands(url, .newest)
        let version = seen.ending == .complete ? "TLS 1.3" : "TLS 1.2, not 1.3"
        let chain = CertificateChain(certificates: seen.certificates)
        let end = chain.end.map { ", until \($0)" } ?? ""
        return [
            HostFinding(.tls, .holds, version),
            HostFinding(.certificate, .holds, "valid, for this name, and trusted\(end)"),
        ]
    }

    private static func refused(_ url: String, _ failure: DownloadFailure, _ prober: Prober) async -> HostFinding {
        let old = await prober.shakeHands(url, .any)
        guard old.ending == .complete else { return HostFinding(.tls, .fails, "no handshake: \(failure.detail)") }
        return HostFinding(
            .tls, .fails,
            "old protocol: the host speaks only TLS 1.0 or 1.1, or only obsolete ciphers. Enable TLS 1.2.")
    }
}

extension DownloadFailure.Kind {
    /// Whether it is about the host's TLS, which means that the host was reached.
    fileprivate var isOfTLS: Bool {
        switch self {
        case .handshake, .certificateExpired, .certificateNotYetValid, .certificateUntrusted, .certificateRootUnknown:
            true
        default: false
        }
    }
}
