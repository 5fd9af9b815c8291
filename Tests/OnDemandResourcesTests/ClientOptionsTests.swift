import PackFormat
import Testing

@testable import headwind_client

/// The options of the client.
struct ClientOptionsTests {
    private static func changed(_ limits: Limits, _ text: String) -> Limits {
        var limits = limits
        try? limits.change(text)
        return limits
    }

    /// Background Assets have limits of their own, unless others are named.
    @Test(arguments: [
        ([], Limits.ios2015), (["--limit", "pack=7"], changed(.ios2015, "pack=7")),
        (["--background-assets"], .backgroundAssets),
        (["--background-assets", "--limit", "in-use=7"], changed(.backgroundAssets, "in-use=7")),
        (["--background-assets", "--limits", "ios-2015"], .ios2015), (["--limits", "ios-18"], .ios18),
    ])
    func limitsFollowTheSystem(arguments: [String], limits: Limits) throws {
        let options = try ClientOptions.parse(["--manifest", "http://host.example/m", "--store", "s"] + arguments)
        #expect(try options.configuration().limits == limits)
    }
}
