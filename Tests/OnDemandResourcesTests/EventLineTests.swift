import Events
import Testing

@testable import ResourceLoading

/// The lines that `docs/reference/events.md` documents, letter by letter.
struct EventLineTests {
    static let lines: [(ClientEvent, String)] = [
        (
            ClientEvent(.request) { ($0.id, $0.tags, $0.priority) = ("r", ["a", "b"], .normal(0.5)) },
            #""request","id":"r","tags":["a","b"],"priority":0.5"#
        ),
        (
            ClientEvent(.request) { ($0.id, $0.tags, $0.priority, $0.prefetch) = ("r", [], .urgent, true) },
            #""request","id":"r","tags":[],"priority":"urgent","prefetch":true"#
        ),
        (
            ClientEvent(.fetch) { ($0.pack, $0.url, $0.from, $0.try) = ("p", "http://h/p", 5, 2) },
            #""fetch","pack":"p","url":"http://h/p","from":5,"try":2"#
        ),
        (
            ClientEvent(.response) { ($0.pack, $0.status, $0.length, $0.from) = ("p", 206, 7, 5) },
            #""response","pack":"p","status":206,"length":7,"from":5"#
        ),
        (
            ClientEvent(.progress) { ($0.id, $0.fraction, $0.completed, $0.total) = ("r", 0.5, 1, 2) },
            #""progress","id":"r","fraction":0.5,"completed":1,"total":2"#
        ),
        (
            ClientEvent(.retry) { ($0.pack, $0.after, $0.reason) = ("p", 0.25, "x") },
            #""retry","pack":"p","after":0.25,"reason":"x""#
        ),
        (
            ClientEvent(.error) { ResourceError.noManifest("m").tell(in: &$0, of: "r") },
            #""error","id":"r","domain":"NSCocoaErrorDomain","code":4994,"class":"unexpected","#
                + #""message":"The requested application data doesn't exist: m","#
                + #""underlying":{"domain":"_NSBundleResourceRequestErrorDomain","code":100,"message":"m"}"#
        ),
        (
            ClientEvent(.conditional) { ($0.id, $0.tags, $0.available) = ("r", ["a"], false) },
            #""conditional","id":"r","tags":["a"],"available":false"#
        ),
        (
            ClientEvent(.misuse) { ($0.id, $0.rule, $0.message) = ("r", "ended-twice", "m") },
            #""misuse","id":"r","rule":"ended-twice","message":"m""#
        ),
        (
            ClientEvent(.purged) { ($0.pack, $0.bytes, $0.bundle) = ("p", 3, "com.example.other") },
            #""purged","pack":"p","bytes":3,"bundle":"com.example.other""#
        ),
        (ClientEvent(.fill) { $0.bytes = 2 }, #""fill","bytes":2"#),
        (ClientEvent(.purge) { $0.bytes = 2 }, #""purge","bytes":2"#),
        (
            ClientEvent(.room) { ($0.needed, $0.freed, $0.missing) = (4, 3, 1) },
            #""room","needed":4,"freed":3,"missing":1"#
        ),
        (ClientEvent(.removed) { ($0.pack, $0.bytes) = ("p", 3) }, #""removed","pack":"p","bytes":3"#),
        (ClientEvent(.room) { ($0.needed, $0.freed) = (2, 3) }, #""room","needed":2,"freed":3"#),
        (
            ClientEvent(.usage) { ($0.stored, $0.inUse, $0.peak) = (2, 1, 3) },
            #""usage","stored":2,"inUse":1,"peak":3"#
        ),
        (
            ClientEvent(.used) { ($0.id, $0.packs, $0.waited) = ("r", ["p"], 0.5) },
            #""used","id":"r","packs":["p"],"waited":0.5"#
        ),
        (
            ClientEvent(.start) {
                ($0.client, $0.pid, $0.manifest, $0.store) = ("c", 7, "m", "s")
                ($0.limits, $0.radio, $0.n) = ("ios-2015", "wifi", 1)
            },
            #""start","client":"c","pid":7,"manifest":"m","store":"s","limits":"ios-2015","radio":"wifi","n":1"#
        ),
        (ClientEvent(.quit), #""quit""#),
    ]

    @Test(arguments: lines)
    func eachEventHasItsLine(event: ClientEvent, rest: String) {
        var event = event
        event.t = 7
        #expect(event.line == #"{"v":1,"t":7,"event":\#(rest)}"# + "\n")
    }

    @Test func textsAreEscaped() {
        let event = ClientEvent(.retry) { ($0.reason, $0.after) = ("a\\b\"\n\r\t\u{1}ü😀", .nan) }
        #expect(event.line.hasSuffix(#""after":null,"reason":"a\\b\"\n\r\t\u0001ü😀"}"# + "\n"))
    }

    @Test(arguments: [
        ("https://user:pass@host:8443/a/b?token=secret#part", "https://host:8443/a/b?…"),
        ("http://host", "http://host/"),
        ("file:///etc/passwd", "(no URL)"),
    ])
    func secretsAreKeptOut(url: String, shown: String) {
        #expect(Redaction.url(url) == shown)
    }

    @Test(arguments: [
        ("http://h/a/AssetPackManifest.plist", "p.assetpack", "http://h/a/p.assetpack"),
        ("http://h/a/AssetPackManifest.plist", "/p", "http://h/p"),
        ("http://h/a/AssetPackManifest.plist", "https://cdn/p?x=1", "https://cdn/p?x=1"),
        ("http://h/a/AssetPackManifest.plist", "file:///etc/passwd", nil),
        ("http://h/a/AssetPackManifest.plist", "ftp://h/p", nil),
    ])
    func referencesAreResolvedAgainstTheManifest(base: String, reference: String, url: String?) {
        #expect(CurlURL(base)?.resolve(reference) == url)
    }
}
