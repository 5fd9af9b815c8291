import PackFormat
import SystemPackage
import Testing

@testable import Scenarios

/// Background Assets in scenarios.
@Suite("Background Assets in scenarios")
struct BackgroundAssetsDecoderTests {
    private func text(_ catalog: String, _ steps: String = "[{request: {tags: [a]}}]", further: String = "") -> String {
        "scenario: Test\ncatalog: \(catalog)\nlink: 3g\nworkload: \(steps)\n\(further)expect: available\n"
    }

    @Test func aCatalogMayUseBackgroundAssets() throws {
        let cell = try scenario(text("{background-assets: adventure}")).cells[0]
        #expect(cell.content == .catalog(.builtInBackgroundAssets("adventure")))
        #expect(cell.content.delivery == .backgroundAssets && cell.device.limits == .backgroundAssets)
        let own = try scenario(text("adventure")).cells[0]
        #expect(own.content.delivery == .onDemandResources && own.device.limits == .ios2015)
        let chosen = try scenario(text("{background-assets: film}", further: "device: {limits: ios-18}\n")).cells[0]
        #expect(chosen.device.limits == .ios18)
        let changed = try scenario(
            text("{background-assets: film}", further: "device: {limits: {in-use: 1 MB}}\n")
        ).cells[0].device.limits
        #expect(changed[.inUse] == 1_000_000 && changed[.hosted] == Limits.backgroundAssets[.hosted])
        #expect(changed[.appBundle] == nil && changed[.cellularInstall] == nil)
    }

    @Test func stepsRemoveAndUpdate() throws {
        let steps = "[{request: {tags: [a]}}, {remove: [a, b]}, quit, {update: {background-assets: adventure-2}}]"
        let workload = try scenario(text("{background-assets: adventure}", steps)).cells[0].workload
        #expect(workload.steps[1] == .remove(["a", "b"]))
        #expect(workload.updates == [.builtInBackgroundAssets("adventure-2")])
    }

    @Test(arguments: [
        ("{background-assets: adventur}", "[{request: {tags: [a]}}]", "there is no catalog 'adventur'"),
        ("{background-assets: film, tags: by-folder}", "[{request: {tags: [a]}}]", "'tags'"),
        ("{background-assets: film, folder: ./x}", "[{request: {tags: [a]}}]", "cannot be combined with"),
        ("film", "[{request: {tags: [a]}}, {remove: [a]}]", "only packs of Background Assets"),
        ("film", "[quit, {update: {background-assets: film}}]", "the app uses 'on-demand-resources'"),
        ("{background-assets: film}", "[quit, {update: film}]", "the app uses 'background-assets'"),
    ])
    func contradictionsAreRefused(catalog: String, steps: String, reason: String) throws {
        let told = try problems(inScenario: text(catalog, steps).utf8)
        #expect(told.contains { $0.contains(reason) }, "\(told)")
    }
}
