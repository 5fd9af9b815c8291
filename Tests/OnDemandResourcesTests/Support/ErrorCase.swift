import PackFormat
import ResourceLoading
import SystemPackage
import Testing

/// A situation in which a request for the tag `t` must fail.
///
/// Its packs are `kept`, which is stored already, and `p`.
struct ErrorCase: Sendable, CustomTestStringConvertible {
    /// The host's steps for a request; nil for the correct response.
    typealias Script = @Sendable (ScriptedServer.Request, TestPack?) -> [ScriptedServer.Step]?

    static let packs = [
        TestPack(name: "kept", body: content(20_000, seed: 7), tags: ["t", "kept"]),
        TestPack(name: "p", body: content(50_000), tags: ["t"]),
    ]

    /// How the row begins in the documentation's table of errors.
    let row: String
    /// How this case causes the error.
    let how: String
    let code: Int
    /// The underlying domain and code, if the table gives them.
    var underlying: String?
    var tags: Set<String> = ["t"]
    /// The fault of the device.
    var configure: @Sendable (inout LoaderConfiguration) -> Void = { _ in }
    /// The fault of the host.
    var script: Script = { _, _ in nil }
    /// What the app does once the host has answered for `p`.
    var act: (@Sendable (LoaderRequest) -> Void)?
    /// The fault of the store, applied once it is open.
    private(set) var spoil: (@Sendable (FilePath) throws -> Void)?
    /// Whether the request fails before a byte of `p` is requested.
    var isEarly = false
    /// Whether the fault is the device's: the next request then uses a device without it.
    private(set) var isOfDevice = false

    var testDescription: String { "\(row): \(how)" }

    /// A copy with this fault of the host.
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

    /// A copy whose requests go through a proxy, which is the host itself.
    func proxy(_ script: @escaping Script) -> Self {
        host(script).device {
            $0.transfers.proxy = .tunnel($0.manifest.replacing("/AssetPackManifest.plist", with: ""))
        }
    }

    /// A copy that fails before a byte of the pack is requested.
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
