import PackFormat
import PackHost
import Testing

/// Packs that need a purchase.
@Suite("Sold packs")
struct SoldPackTests {
    static let cases: [(Set<String>, [String], Int)] = [
        (["red"], [], 403), (["red"], ["red"], 200), (["red"], ["square"], 403), (["red", "square"], ["square"], 200),
        (["blue"], [], 200), (["red"], ["blue", "red"], 200), (["red"], ["red\r\nX: y"], 403),
    ]

    @Test(arguments: cases)
    func needAReceipt(sold: Set<String>, receipts: [String], status: Int) async throws {
        try await TestSite.with { site in
            var site = site
            site.configuration.soldTags = sold
            let fields = receipts.map { "\(PurchaseReceipt.field): \(PurchaseReceipt.value(for: $0))" }
            let (replies, _) = try await site.host { host in
                [
                    try await RawClient.exchange(host.port, get(fields: fields)),
                    try await RawClient.exchange(host.port, get("/AssetPackManifest.plist")),
                ]
            }
            #expect(replies.map(\.status) == [status, 200])
        }
    }

    @Test(arguments: [("level-2", "level-2"), ("a b", "a%20b"), ("ä\n", "%C3%A4%0A"), ("100%", "100%25"), ("", "")])
    func aReceiptIsOneLine(tag: String, value: String) {
        #expect(PurchaseReceipt.value(for: tag) == value)
    }
}
