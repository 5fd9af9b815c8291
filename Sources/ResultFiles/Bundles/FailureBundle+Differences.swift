import Results
import SystemPackage

extension FailureBundle {
    /// Differences from the state when the bundle was made, in sentences, without those that the caller made on
    /// purpose.
    ///
    /// `served` has the packs of a replay by this version of the tool, and `command` its client without secrets.
    package func differences(
        served: [BundleRecord.File], command: [String], toolVersion: String
    ) -> [String] {
        var found: [String] = []
        if record.toolVersion != toolVersion {
            found.append("Headwind \(record.toolVersion) made the bundle, and this is \(toolVersion)")
        }
        if command == record.client.command {
            found += record.client.files.compactMap { difference($0, ClientFiles.record(of: FilePath($0.name))) }
        }
        let packs = Dictionary(served.map { ($0.name, $0) }) { first, _ in first }
        found += record.content.packs.compactMap { difference($0, packs[$0.name], "the pack ") }
        let host = HostFacts.ofThisMachine
        for (what, then, now) in [
            ("kernel", record.host.kernel, host.kernel), ("architecture", record.host.architecture, host.architecture),
            ("system", record.host.system ?? "unknown", host.system ?? "unknown"),
        ] where then != now {
            found.append("the \(what) was \(then), and is \(now)")
        }
        if cell.schedule?.faults.digest != record.schedule.hash {
            found.append("the fault schedule has changed")
        }
        return found
    }

    private func difference(
        _ then: BundleRecord.File, _ now: BundleRecord.File?, _ what: String = ""
    ) -> String? {
        guard let now else { return "\(what)'\(then.name)' no longer exists" }
        guard now.sha256 != then.sha256 else { return nil }
        return
            "\(what)'\(then.name)' has different content: SHA-256 \(now.sha256.prefix(12))…, before \(then.sha256.prefix(12))…"
    }
}
