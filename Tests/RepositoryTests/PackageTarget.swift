import Foundation
import Testing

/// A target of Package.swift: its declared dependencies, and the imports of its sources.
struct PackageTarget: Equatable {
    var name: String
    /// Whether it is a program, which others depend on to run it, and need not import.
    var isProgram = false
    /// The targets of the package that it depends on.
    var targets: Set<String> = []
    /// The products of other packages that it depends on.
    ///
    /// Each has the name of its module.
    var libraries: Set<String> = []
    /// The modules that its sources import, without those of ``SourceFile/toolchain``.
    var imports: Set<String> = []
    /// Whether a library of the package is made of it.
    var isLibrary = false
    /// Whether it has flags that SwiftPM refuses in a package that another one depends on.
    var hasUnsafeFlags = false

    /// The name of the target's module.
    var module: String { name.replacing("-", with: "_") }
}

extension PackageTarget {
    /// The parts of a target in `swift package dump-package` that are read here.
    private struct Dump: Decodable {
        struct Target: Decodable {
            var name: String
            var type: String
            var path: String?
            var sources: [String]?
            var exclude: [String]
            var dependencies: [[String: Names]]
            var settings: [Setting]
        }

        struct Setting: Decodable {
            var isUnsafe: Bool

            private enum Key: CodingKey { case kind, unsafeFlags }

            init(from decoder: any Decoder) throws {
                let setting = try decoder.container(keyedBy: Key.self)
                isUnsafe = try setting.nestedContainer(keyedBy: Key.self, forKey: .kind).contains(.unsafeFlags)
            }
        }

        struct Product: Decodable {
            var targets: [String]
            var isLibrary: Bool

            private enum Key: CodingKey { case targets, type, library }

            init(from decoder: any Decoder) throws {
                let product = try decoder.container(keyedBy: Key.self)
                targets = try product.decode([String].self, forKey: .targets)
                isLibrary = try product.nestedContainer(keyedBy: Key.self, forKey: .type).contains(.library)
            }
        }

        /// A dependency's name, which is read from a list of name, package and conditions.
        struct Names: Decodable {
            var first: String

            init(from decoder: any Decoder) throws {
                var parts = try decoder.unkeyedContainer()
                first = try parts.decode(String.self)
            }
        }

        var products: [Product]
        var targets: [Target]
    }

    /// The targets of this package, in the order of Package.swift.
    ///
    /// The manifest is read with its own scratch folder, so that this waits for no build. Throws if it cannot be read.
    static func all() throws -> [PackageTarget] {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "headwind-package-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let output = scratch.appending(path: "package.json")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", Repository.root.path(), "--scratch-path", scratch.path(),
            "--cache-path", scratch.path(), "dump-package",
        ]
        // SwiftPM's locks are put where temporary files are.
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": scratch.path()]) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "swift package dump-package fails")
        let dump = try JSONDecoder().decode(Dump.self, from: try Data(contentsOf: output))
        let headers = SourceFile.headers(
            of: dump.targets.compactMap { target in folder(of: target).map { ($0, target.name) } })
        let names = Set(dump.targets.map(\.name))
        let libraries = Set(dump.products.filter(\.isLibrary).flatMap(\.targets))
        return try dump.targets.map { target in
            let declared = Set(target.dependencies.flatMap { $0.values.map(\.first) })
            let folder = try #require(Self.folder(of: target), "\(target.name) has no folder")
            var imports = try imports(of: target, in: folder, headers)
            // The drawing shows which targets of the product import all of Foundation; tests and benchmarks may.
            let large: Set = ["Foundation", "FoundationNetworking"]
            let foundation = folder.hasPrefix("Sources/") ? imports.intersection(large) : []
            imports.subtract(large.subtracting(foundation))
            return PackageTarget(
                name: target.name, isProgram: target.type == "executable", targets: declared.intersection(names),
                libraries: declared.subtracting(names).union(foundation), imports: imports,
                isLibrary: libraries.contains(target.name), hasUnsafeFlags: target.settings.contains(where: \.isUnsafe))
        }
    }

    /// The folder of a target's files, as a path from the root, or nil if there is none.
    private static func folder(of target: Dump.Target) -> String? {
        let usual = ["Sources", "Tests"].map { "\($0)/\(target.name)" }
        return ([target.path].compactMap { $0 } + usual).first {
            FileManager.default.fileExists(atPath: Repository.root.appending(path: $0).path())
        }
    }

    private static func imports(
        of target: Dump.Target, in folder: String, _ headers: [String: String]
    ) throws -> Set<String> {
        func isIn(_ path: String, _ part: String) -> Bool {
            path.hasPrefix("\(folder)/\(part)/") || path == "\(folder)/\(part)"
        }
        let files = Repository.files(in: folder, endings: ["swift", "c", "h"]).filter { path in
            !target.exclude.contains { isIn(path, $0) } && target.sources.map { $0.contains { isIn(path, $0) } } ?? true
        }
        let found = try files.map { path in
            let text = try Repository.text(path)
            return path.hasSuffix(".swift")
                ? SourceFile.imports(text) : SourceFile.includes(text, of: headers).subtracting([target.name])
        }
        return found.reduce(into: []) { $0.formUnion($1) }
    }
}
