import FoundationEssentials
import Glibc
import SystemPackage

@testable import PackFormat

/// A folder in memory for one input, outside of which nothing may be written.
struct InputFolder {
    /// The folder of the input.
    let inner: FilePath
    /// The folder that links of the input lead to: it has one file, which must not change.
    let outside: FilePath
    private let around: FilePath
    private static let kept = Array("This stays.".utf8)

    /// Runs `body` with an empty folder, checks that nothing outside of it changed, and removes it.
    static func with<Value>(_ body: (InputFolder) throws -> Value) throws -> Value {
        // `Fuzz/run` names a folder that it removes even if the target crashes.
        let base = getenv("HEADWIND_FUZZ_PLACE").map { String(cString: $0) } ?? "/dev/shm"
        var template = Array("\(base)/headwind-fuzz-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Errno(rawValue: errno) }
        let folder = InputFolder(around: FilePath(String(cString: made)))
        defer { try? FileManager.default.removeItem(atPath: folder.around.string) }
        mkdir(folder.inner.string, 0o700)
        mkdir(folder.outside.string, 0o700)
        try write(kept, to: folder.outside.appending("kept"))
        let value = try body(folder)
        try folder.checkOutside()
        return value
    }

    private init(around: FilePath) {
        self.around = around
        (inner, outside) = (around.appending("inner"), around.appending("outside"))
    }

    /// Writes bytes to a file of the folder, and returns its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
        let path = inner.appending(name)
        try Self.write(bytes, to: path)
        return path
    }

    /// Makes the files of an input that has several: each begins with a line `=== PATH`, at most 64.
    ///
    /// `=== PATH -> outside` or `-> NAME` is a link. A file whose path leads out of the folder is skipped.
    func write(tree bytes: [UInt8]) throws {
        let mark = Array("=== ".utf8)
        var links: [(FilePath, String)] = []
        for part in ([UInt8(ascii: "\n")] + bytes).parts(before: Array("\n".utf8) + mark).prefix(64) {
            let end = part.firstIndex(of: UInt8(ascii: "\n")) ?? part.endIndex
            let words = String(decoding: part[..<end], as: UTF8.self).split(separator: " -> ", maxSplits: 1)
            guard let name = words.first, let path = place(String(name)) else { continue }
            if words.count == 2 {
                links.append((path, String(words[1])))
            } else {
                try? Self.write(Array(part[end...].dropFirst()), to: path)
            }
        }
        // Links come last, so that no file is written through them.
        for (path, target) in links { link(path, to: target) }
    }

    /// The path of a name in the folder, whose parent folders are made; nil if the name leads out or is too long.
    private func place(_ name: String) -> FilePath? {
        let relative = FilePath(name)
        guard relative.isRelative, !relative.components.isEmpty, relative.components.count <= 8,
            relative.components.allSatisfy({ $0.kind == .regular }), name.utf8.count < 300
        else { return nil }
        var folder = inner
        for component in relative.components.dropLast() {
            folder.append(component)
            mkdir(folder.string, 0o700)
        }
        return inner.pushing(relative)
    }

    private func link(_ path: FilePath, to target: String) {
        var folder = inner
        var status = stat()
        for component in path.components.dropFirst(inner.components.count).dropLast() {
            folder.append(component)
            guard lstat(folder.string, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
        }
        let isName = !target.isEmpty && !target.contains("/") && target != ".." && target != "outside"
        unlink(path.string)
        symlink(target == "outside" ? outside.string : isName ? target : outside.appending("kept").string, path.string)
    }

    private func checkOutside() throws {
        let entries = try FileTree.entries(of: outside).map(\.path)
        try demand(entries == ["kept"], "outside of its folder an input has left \(entries)")
        let file = try FileDescriptor.open(outside.appending("kept"), .readOnly)
        let bytes = try file.closeAfter {
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
            return Array(bytes.prefix(count))
        }
        try demand(bytes == Self.kept, "a file outside of its folder was written to")
        let names = try FileTree.entries(of: around).map(\.path).filter { !$0.contains("/") }
        try demand(Set(names).isSubset(of: ["inner", "outside"]), "beside its folder an input has left \(names)")
    }

    private static func write(_ bytes: [UInt8], to path: FilePath) throws {
        let file = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .truncate, .noFollow], permissions: .ownerReadWrite)
        try file.closeAfter { _ = try file.writeAll(bytes) }
    }
}

extension [UInt8] {
    /// The parts after each occurrence of `mark`, up to the next one.
    fileprivate func parts(before mark: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start: Int?
        var index = 0
        while index + mark.count <= count {
            guard self[index] == mark[0], self[index..<index + mark.count].elementsEqual(mark) else {
                index += 1
                continue
            }
            if let start { parts.append(self[start..<index]) }
            index += mark.count
            start = index
        }
        if let start { parts.append(self[start...]) }
        return parts
    }
}
