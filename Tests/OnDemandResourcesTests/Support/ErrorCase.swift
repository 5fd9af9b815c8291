import PackFormat
import ResourceLoading
import SystemPackage
import Testing

/// A world in which a request for the tag `t` must fail: it has the packs `kept`, which is stored already, and `p`.
struct ErrorCase: Sendable, CustomTestStringConvertible {
    /// What the host does; nil for what is right.
    typealias Script = @Sendable (ScriptedServer.Request, TestPack?) -> [ScriptedServer.Step]?

    static let packs = [
        TestPack(name: "kept", body: content(20_000, seed: 7), tags: ["t", "kept"]),
        TestPack(name: "p", body: content(50_000), tags: ["t"]),
    ]

    /// What happens, as the documentation's table of errors says it.
    let row: String
    /// How that comes about here.
    let how: String
    let code: Int
    /// The domain and the code below, where the table gives them.
    var underlying: String?
    var tags: Set<String> = ["t"]
    /// What is wrong with the device.
    var configure: @Sendable (inout LoaderConfiguration) -> Void = { _ in }
    /// What is wrong with the host.
    var script: Script = { _, _ in nil }
    /// What the app does once the host has answered for `p`.
    var act: (@Sendable (LoaderRequest) -> Void)?
    /// What is wrong with the store, once it is open.
    private(set) var spoil: (@Sendable (FilePath) throws -> Void)?
    /// Whether it fails before a byte of `p` is asked for.
    var isEarly = false
    /// Whether the fault is the device's: then the next request is one of a device without it.
    private(set) var isOfDevice = false

    var testDescription: String { "\(row): \(how)" }

    /// The same, with another thing that is wrong.
    func host(_ script: @escaping Script) -> Self {
        var copy = self
        copy.script = script
        return copy
    }

    func pack(_ steps: @escaping @Sendable (ScriptedServer.Request, [UInt8]) -> [ScriptedServer.Step]) -> Self {
        host { request, pack in pack.map { steps(request, $0.body) } }
    }

    func device(_ configure: @escaping @Sendable (inout LoaderConfiguration) -> Void) -> Self {
        var copy = self
        copy.configure = configure
        copy.isOfDevice = true
        return copy
    }

    func store(_ spoil: @escaping @Sendable (FilePath) throws -> Void) -> Self {
        var copy = device { _ in }
        copy.spoil = spoil
        return copy
    }

    /// A request that goes by a proxy, which is the host itself.
    func proxy(_ script: @escaping Script) -> Self {
        host(script).device {
            $0.transfers.proxy = .tunnel($0.manifest.replacing("/AssetPackManifest.plist", with: ""))
        }
    }

    /// Fails before a byte of the pack is asked for.
    var early: Self {
        var copy = self
        copy.isEarly = true
        return copy
    }

    func asking(for tags: Set<String>) -> Self {
        var copy = self
        copy.tags = tags
        return copy
    }

    func acting(_ act: @escaping @Sendable (LoaderRequest) -> Void) -> Self {
        var copy = self
        copy.act = act
        return copy
    }

    func below(_ underlying: String) -> Self {
        var copy = self
        copy.underlying = underlying
        return copy
    }

    init(_ row: String, _ how: String, _ code: Int) { (self.row, self.how, self.code) = (row, how, code) }
}
