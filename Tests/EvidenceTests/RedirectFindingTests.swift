import Testing

@testable import Evidence
@testable import Results

/// What a client leaks by following a redirect, and what it may do.
@Suite("Findings about redirects") struct RedirectFindingTests {
    private typealias Fetch = ConductRecord.Fetch

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// HEAD requests, which come before all others.
        var heads: [ConductRecord.Fetch]
        var fetches: [ConductRecord.Fetch]
        var details: [String]

        init(
            _ name: String, after heads: [ConductRecord.Fetch] = [], _ fetches: [ConductRecord.Fetch],
            _ details: String...
        ) {
            (testDescription, self.heads, self.fetches, self.details) = (name, heads, fetches, details)
            for index in heads.indices { self.heads[index].nanoseconds = -1 }
        }
    }

    private static func redirect(_ origin: String?, _ credentials: String? = nil) -> Fetch {
        fetch(302, origin, credentials)
    }

    private static func whole(_ origin: String?, _ credentials: String? = nil) -> Fetch {
        fetch(200, origin, credentials)
    }

    private static func fetch(_ status: Int, _ origin: String?, _ credentials: String?) -> Fetch {
        Fetch("p", number: 1, began: 0, ended: 1, status: status, bytes: 9, origin: origin, credentials: credentials)
    }

    static let rows = [
        Row(
            "credentials of another host",
            [redirect("http://a", "authorization, cookie"), whole("http://b", "cookie")],
            "cookie of http://a went to http://b"),
        Row(
            "a token over HTTP", [redirect("https://a", "authorization"), whole("http://a:443", "authorization")],
            "authorization of https://a went to http://a:443",
            "the client followed a redirect from https://a to http://a:443"),
        Row(
            "a token of another port, and a cookie, which is of all ports",
            [redirect("http://a", "authorization, cookie"), whole("http://a:8080", "authorization, cookie")],
            "authorization of http://a went to http://a:8080"),
        Row(
            "a cookie of another port",
            [redirect("http://[::1]", "cookie"), whole("http://[::1]:8080", "cookie")]),
        Row(
            "a cookie of another host that begins alike",
            [redirect("http://a:80", "cookie"), whole("http://ab:80", "cookie")],
            "cookie of http://a:80 went to http://ab:80"),
        Row(
            "credentials of another host, to which a HEAD request led", after: [redirect("http://a", "cookie")],
            [whole("http://b", "cookie")], "cookie of http://a went to http://b"),
        Row(
            "HTTP, to which a HEAD request led", after: [redirect("https://a"), whole("http://a")], [whole("http://a")],
            "the client followed a redirect from https://a to http://a"),
        Row(
            "nothing beyond a HEAD request", after: [redirect("http://a", "cookie"), whole("http://b")],
            [whole("http://b")]),
        Row("no credentials go along", [redirect("http://a", "cookie"), whole("http://b")]),
        Row("to another path", [redirect("http://a", "cookie"), whole("http://a", "cookie")]),
        Row("from HTTP to HTTPS", [redirect("http://a"), whole("https://a")]),
        Row("without a redirect", [whole("https://a", "cookie"), whole("http://b", "cookie")]),
        Row(
            "back at the first host",
            [redirect("http://a", "cookie"), whole("http://b"), redirect("http://a", "cookie"), whole("http://b")]),
        Row("a request that does not say whom it asks", [redirect("http://a", "cookie"), whole(nil)]),
    ]

    @Test("are as expected", arguments: rows)
    func findings(_ row: Row) {
        var conduct = ConductRecord(fetches: row.fetches)
        conduct.heads = row.heads
        #expect(conduct.redirectFindings.map(\.detail) == row.details)
        #expect(conduct.redirectFindings.allSatisfy { $0.attribution == .redirectUnsafe })
    }
}
