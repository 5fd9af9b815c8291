import PackFormat
import Testing

@testable import AssetPacks

/// Pins the files of the built-in catalogs: the budgets of scenarios depend on them.
@Suite("Built-in catalogs")
struct BuiltInCatalogTests {
    @Test(arguments: [
        (BuiltInCatalog.shapes, "4a80fbd1b7dbae97"), (.adventure, "ba0a95a3f3adb7b5"),
        (.adventure2, "477419adffdc0849"), (.threeParts, "b63733f32fa9aaa4"), (.film, "e87bf8b9b772c491"),
    ])
    func areAlwaysTheSame(catalog: BuiltInCatalog, digest: String) throws {
        try withScratch { scratch in
            let written = try catalog.write(to: scratch)
            let files = try written.resources.map { file in
                let content = try scratch.appending(file.path).read()
                #expect(content.count == Int(file.size))
                return "\(file.path) \(file.tags.sorted()) \(file.size) \(file.modified) \(Digest.sha256Hex(content))"
            }
            let lists = "\(written.bundleID) \(written.initialInstall.sorted()) \(written.prefetch)"
            #expect(Digest.sha256Hex(Array(([lists] + files).joined(separator: "\n").utf8)).prefix(16) == digest)
        }
    }
}
