import PackFormat
import Testing

@testable import Scenarios

/// The slice of asset catalogs that a device takes.
@Suite struct SliceDecoderTests {
    private static let rest = "\nlink: 3g\nworkload: [{request: {tags: [a]}}]\n"
    private static let base = "scenario: Test\ncatalog: shapes" + rest

    @Test(
        arguments: [
            ("{radio: wifi}", nil, nil),
            ("{idiom: iphone, scale: 3x}", .init(idiom: .iphone, scale: 3), "iphone 3x"),
            ("{scale: 1x}", .init(idiom: nil, scale: 1), "1x"),
            ("{idiom: ipad}", .init(idiom: .ipad, scale: nil), "ipad"),
            ("{limits: tvos-18, idiom: tv}", .init(idiom: .tv, scale: 1), "tv 1x"),
            ("{limits: tvos-2015}", .init(idiom: .tv, scale: 1), "tv 1x"),
            ("{limits: {base: tvos-2015, in-use: 1 MB}, idiom: tv}", .init(idiom: .tv, scale: 1), "tv 1x"),
            ("{limits: tvos-18, idiom: tv, scale: 2x}", .init(idiom: .tv, scale: 2), "tv 2x"),
        ] as [(String, Slice?, String?)])
    func isRead(device: String, slice: Slice?, text: String?) throws {
        let cell = try #require(try scenario(Self.base + "device: \(device)").cells.first)
        #expect(cell.device.slice == slice && cell.device.slice?.text == text)
    }

    @Test func builtPacksAllowADeviceOfAnySystem() throws {
        #expect(throws: Never.self) {
            try scenario("scenario: Test\npacks: ./packs" + Self.rest + "device: {limits: tvos-2015}")
        }
    }

    static let refused = [
        Case("idiom", base + "device: {idiom: phone}\n", "5:17 'phone' is not an idiom: iphone, ipad"),
        Case("scale", base + "device: {scale: 4x}\n", "5:17 '4x' is not a scale | "),
        Case("scale without x", base + "device: {scale: 2}\n", "5:17 '2' is not a scale | "),
        Case(
            "a TV of 2015 has one scale", base + "device: {limits: tvos-2015, scale: 2x}\n",
            "5:29 the device of 'tvos-2015' is a TV, which takes only 1x content | leave 'idiom' and 'scale' out"),
        Case(
            "built before", "scenario: Test\npacks: ./packs" + rest + "device: {scale: 2x}\n",
            "5:1 'idiom' and 'scale' apply when packs are built, but these are already built"),
    ]

    @Test(arguments: refused) func isRefused(_ one: Case) throws {
        let found = try problems(inScenario: one.text.utf8)
        #expect(found.count == 1 && found.first?.hasPrefix(one.problems[0]) == true, "\(found)")
    }
}
