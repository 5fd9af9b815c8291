import LinkModel
package import PackFormat
import PackHost
package import Scenarios
import Wording

extension Cell {
    /// The faults of the host in the cell's schedule, each for the request that it names.
    ///
    /// Throws ``InvalidFiles`` with everything that the host cannot do or does not serve.
    package func scheduledHostFaults(_ content: PreparedContent) throws -> [HostFault] {
        guard let schedule, !schedule.hostFaults.isEmpty else { return [] }
        var diagnostics: [Diagnostic] = []
        // A fault that met a HEAD request applies to every request, so its other lines add nothing.
        let ofAll = Set(schedule.hostFaults.map(\.fault).filter(\.isOfEveryRequest).map { [$0.path, $0.action] })
        let faults = schedule.hostFaults.compactMap { line, mark -> HostFault? in
            func refuse(_ message: String, hint: String?) -> HostFault? {
                diagnostics.append(Diagnostic(file: schedule.file, mark: mark, message: message, hint: hint))
                return nil
            }
            let paths = content.identifiersByPath
            guard let (identifier, start) = line.target(in: paths) else {
                let known = paths.keys.sorted()
                let hint =
                    NearestName.hint(for: line.path, in: known)
                    ?? "it serves \(known.prefix(8).joined(separator: ", "))"
                return refuse("the host serves nothing at '\(line.path)'", hint: hint)
            }
            do throws(HostFaultSyntaxError) {
                var fault = try HostFault(scheduled: line.hostAction)
                guard fault.pack == "*", fault.tries == nil, fault.rangeStart == nil else {
                    return refuse(
                        "'\(line.action)' also names a pack, a range or a try", hint: "leave pack=, from= and try= out")
                }
                (fault.pack, fault.rangeStart) = (identifier, start)
                guard ofAll.contains([line.path, line.action]) else {
                    fault.tries = line.tries
                    return fault
                }
                return line.isOfEveryRequest ? fault : nil
            } catch {
                return refuse("\(error)", hint: nil)
            }
        }
        if !diagnostics.isEmpty { throw InvalidFiles(diagnostics) }
        return faults
    }
}

extension FaultSchedule.HostFaultLine {
    /// Whether it is the last line of a fault that met a HEAD request.
    ///
    /// HEAD requests do not count as tries, so only faults of every request meet them.
    fileprivate var isOfEveryRequest: Bool { method == "HEAD" && tries.upperBound == .max }

    /// The name of the file that its path leads to, and the byte that its range begins at: `/a.zip@500000`.
    ///
    /// Nil if the host serves nothing at the path; a file whose own path ends like this comes first.
    fileprivate func target(in identifiers: [String: String]) -> (identifier: String, rangeStart: Int64?)? {
        if path == "*" { return ("*", nil) }
        if let identifier = identifiers[path] { return (identifier, nil) }
        guard let mark = path.lastIndex(of: "@"), let start = Int64(path[path.index(after: mark)...]),
            let identifier = identifiers[String(path[..<mark])]
        else { return nil }
        return (identifier, start)
    }
}

extension Cell {
    /// The zeros that the host's faults put before a pack, in bytes; 0 if none does.
    package func leadingZeros(of pack: ServedPack, _ content: PreparedContent?) -> Int64 {
        // A replayed fault is listed once for each try.
        let listed = content.flatMap { try? scheduledHostFaults($0) } ?? []
        return (hostFaults + listed).lazy.compactMap { fault in
            guard case .leadingZeros(let count) = fault.action,
                fault.pack == "*" || content?.packs(named: fault.pack).contains(pack) == true
            else { return nil }
            return count
        }.max() ?? 0
    }
}

extension Cell {
    /// The pack that a command downloads; nil for the built-in client, or if the command names none or several.
    package func commandPack(in content: PreparedContent?) -> ServedPack? {
        workload.command?.pack.flatMap { content?.pack(named: $0) }
    }

    /// The size of the part of a pack that is put where a command saves it, without leading zeros.
    ///
    /// A quarter of the pack, from 1 B to 64 KiB, so that there is also room for the pack.
    package static func earlierBytes(of pack: ServedPack) -> Int64 { max(1, min(64 << 10, pack.size / 4)) }

    /// The bytes of a pack that lie where a command saves it, without leading zeros; 0 if the scenario puts no part
    /// there.
    func partBytes(of pack: ServedPack) -> Int64 {
        expectations.keptFiles.contains(.part) ? Self.earlierBytes(of: pack) : 0
    }
}

extension PreparedContent {
    /// The names that faults use for the files of the host, by path.
    fileprivate var identifiersByPath: [String: String] {
        var identifiers = [site.manifestPath: "manifest"]
        if site.tagTable != nil { identifiers[site.tagTablePath] = "tag-table" }
        for pack in site.packs { identifiers[pack.path] = pack.identifier }
        return identifiers
    }
}
