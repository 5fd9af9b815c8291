import LinuxSupport
import PackFormat
import Results
import Scenarios
import SystemPackage

/// What is put into a client's folders before it starts, and what lies in them when it has ended.
struct KeptFiles {
    let context: CellContext
    let folder: AttemptFolder

    private var expectations: [ConductExpectation] { context.cell.expectations.conduct }

    private var kinds: [ConductRecord.Before.Kind] {
        expectations.flatMap { if case .keeps(let kinds) = $0 { kinds } else { [ConductRecord.Before.Kind]() } }
    }

    /// The pack that a command is to leave; nil where the client is none, or has none.
    private var pack: ServedPack? {
        guard case .command(let command) = context.cell.workload else { return nil }
        return command.pack.flatMap { context.content?.pack(named: $0) }
    }

    /// Puts there what the scenario says is to be kept.
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

    /// What became of what was put there; nil where nothing was.
    func before() -> [ConductRecord.Before]? {
        kinds.isEmpty
            ? nil
            : kinds.map { kind in
                .init(
                    kind, name: path(kind).lastComponent?.string ?? "", problem: problem(kind),
                    packBytes: kind == .part ? leadingZeros + Int64(bytes(kind).count) : nil)
            }
    }

    /// Zeros in front of the pack as the host serves it.
    private var leadingZeros: Int64 { pack.map { context.cell.leadingZeros(of: $0, context.content) } ?? 0 }

    /// Beside the output of a command, with a name that begins alike, or beside the store of another client.
    private func path(_ kind: ConductRecord.Before.Kind) -> FilePath {
        guard case .command = context.cell.workload else { return "notes.txt" }
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

    /// The umask that clients inherit, by proc(5): umask(2) tells it only by setting another one.
    private static let umask: UInt32 = {
        let status = (try? BoundedFile.read("/proc/self/status", most: 64 << 10)) ?? []
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Umask:") }
        return line.flatMap { UInt32($0.dropFirst(6).drop(while: \.isWhitespace), radix: 8) } ?? 0o022
    }()

    /// Why something is not what was put there; nil where it is, and where the whole pack took an earlier edition's place.
    private func problem(_ kind: ConductRecord.Before.Kind) -> String? {
        // Whether the file is the pack in the end is another question.
        if kind == .part { return nil }
        let bytes = bytes(kind)
        do throws(ContainedFile.Fault) {
            let file = try folder.file(path(kind))
            if kind == .privateEdition {
                // What the umask lets others do with a new file is the user's own choice.
                guard file.permissions & 0o022 & Self.umask != 0 else { return nil }
                return "had mode 0600, and others can write to it now (0\(String(file.permissions, radix: 8)))"
            }
            if file.size == bytes.count, try file.firstDifference(from: bytes[...], at: 0) == nil { return nil }
            if kind.isAtOutput, let pack, try file.firstDifference(from: pack.file) == nil { return nil }
            return file.size == bytes.count
                ? "has different content" : "has \(file.size) bytes, and not \(bytes.count)"
        } catch {
            // Whether it is there at all is not what is asked of its permissions.
            return kind == .privateEdition ? nil : error.description
        }
    }

    /// Files that begin as a pack does, of the pack that has most; nil where the scenario does not ask, or they cannot be read.
    func copies() -> Int? {
        guard expectations.contains(.leavesNothing), let content = context.content else { return nil }
        do {
            let packs = try content.site.packs.filter { $0.size >= Self.headBytes }.map { pack in
                try ContainedFile(pack.file, below: pack.file.removingLastComponent()).head(Self.headBytes)
            }
            var counts: [[UInt8]: Int] = [:]
            for path in try folder.clientFiles() {
                // A file that the client made unreadable hides no other.
                guard let head = try? folder.file(path).head(Self.headBytes) else { continue }
                if packs.contains(head) { counts[head, default: 0] += 1 }
            }
            return counts.values.max() ?? 0
        } catch {
            return nil
        }
    }

    /// Fewer may be the same in other files by chance.
    private static let headBytes = 4096
}
