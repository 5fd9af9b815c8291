import LinuxSupport
import PackFormat
import Results
import Scenarios
import SystemPackage

/// Files that are put into a client's folders before it starts, and their state when it has ended.
struct KeptFiles {
    let context: CellContext
    let folder: AttemptFolder

    private var kinds: [ConductRecord.Before.Kind] { context.cell.expectations.keptFiles }

    /// The pack that a command must leave; nil if the client is not a command, or has no pack.
    private var pack: ServedPack? { context.cell.commandPack(in: context.content) }

    /// Puts the files in place that the scenario lists under `keeps`.
    func put() throws {
        for kind in kinds {
            try folder.put(bytes(kind), at: path(kind), from: kind == .part ? leadingZeros : 0)
            switch kind {
            case .privateEdition: try folder.makePrivate(path(kind))
            case .linkedFile:
                guard let name = path(kind).lastComponent?.string else { continue }
                try folder.putLink(to: name, at: folder.outputPath(context.cell.outputName))
            case .otherFile, .oldEdition, .part: break
            }
        }
    }

    /// The state of the files that were put in place; nil if there are none.
    func before() -> [ConductRecord.Before]? {
        kinds.isEmpty
            ? nil
            : kinds.map { kind in
                .init(
                    kind, name: path(kind).lastComponent?.string ?? "", problem: problem(kind),
                    packBytes: kind == .part ? leadingZeros + Int64(bytes(kind).count) : nil)
            }
    }

    /// The zeros before the pack in the host's response, in bytes.
    private var leadingZeros: Int64 { pack.map { context.cell.leadingZeros(of: $0, context.content) } ?? 0 }

    /// The path of a file: at or next to a command's output, or next to the device's folder of the built-in client.
    private func path(_ kind: ConductRecord.Before.Kind) -> FilePath {
        guard !context.cell.workload.isBuiltIn else { return "notes.txt" }
        let name = context.cell.outputName
        return switch kind {
        case .otherFile: folder.outputPath(name + "-notes.txt")
        case .linkedFile: folder.outputPath("notes-of-" + name)
        case .oldEdition, .privateEdition, .part: folder.outputPath(name)
        }
    }

    private func bytes(_ kind: ConductRecord.Before.Kind) -> [UInt8] {
        let text = Array("This file was here before the download.\n".utf8)
        guard kind.isOfPack, let pack else { return text }
        let size = Int(Cell.earlierBytes(of: pack))
        if kind == .part {
            let file = try? ContainedFile(pack.file, below: pack.file.removingLastComponent())
            return (try? file?.head(size)) ?? []
        }
        return Array(repeatElement(text, count: size / text.count + 1).joined().prefix(size))
    }

    /// The umask that clients inherit, from proc(5): umask(2) returns it only while setting another.
    private static let umask =
        BoundedFile.field("Umask:", in: BoundedFile.text("/proc/self/status")).flatMap { UInt32($0, radix: 8) } ?? 0o022

    /// Why a file is not what was put there; nil if it is, or if the whole pack replaced an earlier edition.
    private func problem(_ kind: ConductRecord.Before.Kind) -> String? {
        // Another check tells whether the file is the pack in the end.
        if kind == .part { return nil }
        let bytes = bytes(kind)
        do throws(ContainedFile.Fault) {
            let file = try folder.file(path(kind))
            if kind == .privateEdition {
                // The user decides by the umask what others may do with a new file.
                guard file.permissions & 0o022 & Self.umask != 0 else { return nil }
                return "had mode 0600, and others can write to it now (0\(String(file.permissions, radix: 8)))"
            }
            if file.size == bytes.count, try file.firstDifference(from: bytes[...], at: 0) == nil { return nil }
            if kind.isAtOutput, let pack, try file.firstDifference(thenFrom: pack.file) == nil { return nil }
            return file.size == bytes.count
                ? "has different content" : "has \(file.size) bytes, and not \(bytes.count)"
        } catch {
            // The check of its permissions does not ask whether the file exists.
            return kind == .privateEdition ? nil : error.description
        }
    }

    /// The number of files that begin like the same pack, for the pack with most; nil if not expected, or unreadable.
    func copies() -> Int? {
        let isExpected = context.cell.expectations.conduct.contains(.leavesNothing)
        guard isExpected, let content = context.content else { return nil }
        do {
            let packs = try content.site.packs.filter { $0.size >= Self.headBytes }.map { pack in
                try ContainedFile(pack.file, below: pack.file.removingLastComponent()).head(Self.headBytes)
            }
            var counts: [[UInt8]: Int] = [:]
            for path in try folder.clientFiles() {
                // The other files count even if the client made one unreadable.
                guard let head = try? folder.file(path).head(Self.headBytes) else { continue }
                if packs.contains(head) { counts[head, default: 0] += 1 }
            }
            return counts.values.max() ?? 0
        } catch {
            return nil
        }
    }

    /// The bytes that are compared; fewer may be equal in other files by chance.
    private static let headBytes = 4096
}
