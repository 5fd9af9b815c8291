import Foundation
import OnDemandResources
import ResourceLoading
import Testing

extension Fixture {
    /// A bundle of its own whose resources come from the host: all tests share the main bundle.
    func withBundle(_ name: String = "app", _ body: (Bundle) async throws -> Void) async throws {
        let folder = folder.appending("\(name).bundle")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        let bundle = try #require(Bundle(path: folder.string))
        let manifest = try #require(URL(string: configuration.manifest))
        let store = URL(fileURLWithPath: self.folder.appending("\(name).store").string)
        try await bundle.setOnDemandResources(from: OnDemandResourcesSource(manifest: manifest, store: store))
        do {
            try await body(bundle)
            await bundle.removeOnDemandResources()
        } catch {
            await bundle.removeOnDemandResources()
            throw error
        }
    }
}
