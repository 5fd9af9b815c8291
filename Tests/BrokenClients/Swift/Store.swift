import Foundation

/// The device's storage, laid out as in docs/reference/client.md.
///
/// Hold the device's lock to use it.
final class Store {
    let root: String
    private let capacity: Int64?
    private let events: Events
    private let bugs: Bugs
    private(set) var stored: [String: Stored] = [:]
    private var promised: [String: Int64] = [:]
    private var used: [String: Int] = [:]
    private var uses = 0
    private var peak: Int64 = 0
    var preserved: [String: Double] = [:]

    struct Stored: Codable {
        var pack: String
        var digest: String?
        var tags: [String]
        var bytes: Int64
    }

    static let note = ".pack.json"

    init(_ root: String, capacity: Int64?, _ events: Events, _ bugs: Bugs) throws {
        (self.root, self.capacity, self.events, self.bugs) = (root, capacity, events, bugs)
        for folder in ["packs", "partial", "temporary"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        }
        try Data("headwind store 1\n".utf8).write(to: URL(filePath: "\(root)/store"))
        for name in names("packs") {
            let data = FileManager.default.contents(atPath: "\(root)/packs/\(name)/\(Self.note)")
            if let data, let known = try? JSONDecoder().decode(Stored.self, from: data) {
                stored[known.pack] = known
            } else {
                try FileManager.default.removeItem(atPath: "\(root)/packs/\(name)")
            }
        }
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []).sorted()
    }

    /// A file name for an identifier: percent-encoded, including a leading dot.
    static func encoded(_ name: String) -> String {
        let kept = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+~".utf8)
        return name.utf8.enumerated().map { index, byte in
            if kept.contains(byte) || byte == UInt8(ascii: "."), index > 0 || byte != UInt8(ascii: ".") {
                return String(UnicodeScalar(byte))
            }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    func folder(_ pack: Pack) -> String { "\(root)/packs/\(Self.encoded(pack.identifier))" }
    func temporary(_ pack: Pack) -> String { "\(root)/temporary/\(Self.encoded(pack.identifier))" }
    func partial(_ pack: Pack) -> String { "\(root)/partial/\(Self.encoded(pack.identifier))" }
    func has(_ pack: Pack) -> Bool { stored[pack.identifier].map { $0.digest == pack.digest } ?? false }

    func arrived(_ pack: Pack) -> Int64 { Self.size(partial(pack) + ".part") }

    private static func size(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Turns a folder into the pack, in one step, and returns its bytes.
    func publish(_ pack: Pack, _ folder: String) throws -> Int64 {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let entry = Stored(
            pack: pack.identifier, digest: pack.digest, tags: pack.tags,
            bytes: files.map { path in
                var status = stat()
                guard stat("\(folder)/\(path)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
                return Int64(status.st_size)
            }.reduce(0, +))
        try JSONEncoder().encode(entry).write(to: URL(filePath: "\(folder)/\(Self.note)"))
        try? FileManager.default.removeItem(atPath: self.folder(pack))
        guard rename(folder, self.folder(pack)) == 0 else { throw Failure(.unwritable, "'\(folder)' cannot be moved.") }
        stored[pack.identifier] = entry
        promised[pack.identifier] = nil
        touch([pack.identifier])
        return entry.bytes
    }

    @discardableResult
    func remove(_ identifier: String) -> Int64 {
        try? FileManager.default.removeItem(atPath: "\(root)/packs/\(Self.encoded(identifier))")
        return stored.removeValue(forKey: identifier)?.bytes ?? 0
    }

    /// Records that packs are used now.
    func touch(_ identifiers: some Sequence<String>) {
        uses += 1
        for identifier in identifiers { used[identifier] = uses }
    }

    private var storedBytes: Int64 { stored.values.map(\.bytes).reduce(0, +) }

    /// Partial downloads that no promise counts.
    private var loosePartials: [String] {
        let known = Set(promised.keys.map(Self.encoded))
        return names("partial").filter { $0.hasSuffix(".part") }.map { String($0.dropLast(5)) }.filter {
            !known.contains($0)
        }
    }

    private var free: Int64 {
        let promises = promised.values.reduce(0, +)
        guard let capacity else {
            var status = statvfs()
            statvfs(root, &status)
            return Int64(status.f_bavail) * Int64(status.f_frsize) - promises
        }
        let partials = loosePartials.map { Self.size("\(root)/partial/\($0).part") }.reduce(0, +)
        return capacity - storedBytes - promises - partials
    }

    /// Makes and promises room for packs, keeping those in `wanted`.
    ///
    /// Throws if there is too little.
    func reserve(_ packs: [Pack], keeping wanted: Set<String>) throws {
        let needs = packs.filter { promised[$0.identifier] == nil }
        let missing = needs.map(\.room).reduce(0, +) - free
        if missing > 0, makeRoom(missing, keeping: wanted) < missing {
            throw Failure(.noSpace, "The device is full: \(missing) bytes are missing.")
        }
        for pack in needs { promised[pack.identifier] = pack.room }
    }

    func giveBack(_ identifier: String) { promised[identifier] = nil }

    /// Removes packs until `missing` bytes are free, and returns the freed bytes; 0 if all would be too few.
    func makeRoom(_ missing: Int64, keeping wanted: Set<String>) -> Int64 {
        // BUG: packs in use may go, and all of them.
        let isReckless = bugs.has(.deletesGoodPacks)
        let candidates = stored.values.filter { isReckless || !wanted.contains($0.pack) }.sorted {
            worth($0) < worth($1)
        }
        let kept = Set(wanted.map(Self.encoded))
        let partials = loosePartials.filter { !kept.contains($0) }
        var freed = partials.map { Self.size("\(root)/partial/\($0).part") }.reduce(0, +)
        guard isReckless || freed + candidates.map(\.bytes).reduce(0, +) >= missing else { return 0 }
        for name in partials { for end in ["part", "json"] { unlink("\(root)/partial/\(name).\(end)") } }
        for entry in candidates where freed < missing || isReckless && bugs.isSecondForm {
            freed += remove(entry.pack)
            events.tell("purged", ["pack": entry.pack, "bytes": entry.bytes])
        }
        if freed > 0 { events.tell("room", ["needed": missing, "freed": freed]) }
        return freed
    }

    private func worth(_ entry: Stored) -> (Double, Int, Int64) {
        (entry.tags.map { preserved[$0] ?? 0 }.max() ?? 0, used[entry.pack] ?? 0, -entry.bytes)
    }

    func tellUsage(inUse: Int64) {
        let partials = names("partial").filter { $0.hasSuffix(".part") }.map { Self.size("\(root)/partial/\($0)") }
        let all = storedBytes + partials.reduce(0, +)
        peak = max(peak, all)
        events.tell("usage", ["stored": all, "inUse": inUse, "peak": peak])
    }
}
