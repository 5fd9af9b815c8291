/// Compares the drawing with Package.swift and the sources.
enum Architecture {
    /// The differences, as sentences; empty if there are none.
    static func differences(_ drawing: Drawing, _ package: [PackageTarget]) -> [String] {
        let entries = drawing.groups.flatMap(\.entries)
        let (drawn, declared) = (Set(entries.map(\.name)), Set(package.map(\.name)))
        let repeated = drawn.filter { name in entries.count { $0.name == name } > 1 }
        return repeated.sorted().map { "the drawing has \($0) twice" }
            + declared.subtracting(drawn).sorted().map { "the drawing lacks \($0)" }
            + drawn.subtracting(declared).sorted().map { "the drawing has \($0), and Package.swift has not" }
            + entries.flatMap { entry in
                package.filter { $0.name == entry.name }.flatMap { arrows(of: entry, $0) }
            } + upward(drawing) + package.flatMap { undeclared($0, package) + unused($0, package) }
            + refusedFlags(package)
    }

    /// Arrows that only the drawing or only Package.swift has.
    private static func arrows(of entry: Drawing.Entry, _ target: PackageTarget) -> [String] {
        let (drawn, declared) = (Set(entry.targets + entry.libraries), target.targets.union(target.libraries))
        return declared.subtracting(drawn).sorted().map { "the drawing lacks the arrow from \(entry.name) to \($0)" }
            + drawn.subtracting(declared).sorted().map {
                "the drawing has an arrow from \(entry.name) to \($0), and Package.swift has not"
            }
    }

    /// Arrows that do not lead to a lower group.
    private static func upward(_ drawing: Drawing) -> [String] {
        drawing.groups.enumerated().flatMap { place, group in
            let lower = Set(drawing.groups[(place + 1)...].flatMap(\.entries).map(\.name))
            return group.entries.flatMap { entry in
                entry.targets.filter { !lower.contains($0) }.map {
                    "\(entry.name) points to \($0), which is in no group below \(group.title)"
                }
            }
        }
    }

    /// Modules that a target imports without declaring them, which a build alone would allow.
    private static func undeclared(_ target: PackageTarget, _ package: [PackageTarget]) -> [String] {
        let modules = Dictionary(package.map { ($0.name, $0.module) }) { first, _ in first }
        let declared = target.libraries.union(target.targets.compactMap { modules[$0] })
        return target.imports.subtracting(declared).sorted().map { module in
            let way = target.targets.sorted().first { reaches(module, from: $0, package) }
            return "\(target.name) imports \(module) and does not declare it"
                + (way.map { ": it comes with \($0)" } ?? "")
        }
    }

    /// Flags that SwiftPM refuses when another package depends on a library.
    private static func refusedFlags(_ package: [PackageTarget]) -> [String] {
        package.filter(\.hasUnsafeFlags).flatMap { target in
            package.filter { $0.isLibrary && reaches(target.module, from: $0.name, package) }.map {
                "\(target.name) has unsafe flags, which SwiftPM refuses in the library \($0.name)"
            }
        }
    }

    /// Dependencies that no source of a target imports.
    ///
    /// Programs are exempt, as they are dependencies to be run.
    private static func unused(_ target: PackageTarget, _ package: [PackageTarget]) -> [String] {
        let needed = package.filter { target.targets.contains($0.name) && !$0.isProgram }
        let idle = needed.filter { !target.imports.contains($0.module) }.map(\.name)
        return (idle + target.libraries.subtracting(target.imports)).sorted()
            .map { "\(target.name) declares \($0) and does not import it" }
    }

    /// Whether a target depends on a module, directly or through other targets.
    private static func reaches(_ module: String, from name: String, _ package: [PackageTarget]) -> Bool {
        guard let target = package.first(where: { $0.name == name }) else { return false }
        return target.module == module || target.libraries.contains(module)
            || target.targets.contains { reaches(module, from: $0, package) }
    }
}
