import Testing

@testable import OnDemandResources

/// The lines that `docs/events.md` promises, letter by letter.
struct EventLineTests {
    static let lines: [(LoaderEvent.Kind, String)] = [
        (
            .request(id: "r", tags: ["a", "b"], priority: .normal(0.5)),
            #""request","id":"r","tags":["a","b"],"priority":0.5"#
        ),
        (.request(id: "r", tags: [], priority: .urgent), #""request","id":"r","tags":[],"priority":"urgent""#),
        (
            .fetch(pack: "p", url: "http://h/p", from: 5, number: 2),
            #""fetch","pack":"p","url":"http://h/p","from":5,"try":2"#
        ),
        (
            .response(pack: "p", status: 206, length: 7, from: 5),
            #""response","pack":"p","status":206,"length":7,"from":5"#
        ),
        (.response(pack: "p", status: 200, length: nil, from: 0), #""response","pack":"p","status":200,"from":0"#),
        (
            .progress(id: "r", fraction: 0.5, completed: 1, total: 2),
            #""progress","id":"r","fraction":0.5,"completed":1,"total":2"#
        ),
        (.retry(pack: "p", after: .milliseconds(250), reason: "x"), #""retry","pack":"p","after":0.25,"reason":"x""#),
        (.received(pack: "p", bytes: 3), #""received","pack":"p","bytes":3"#),
        (.verified(pack: "p", bytes: 3), #""verified","pack":"p","bytes":3"#),
        (.stored(pack: "p", bytes: 3), #""stored","pack":"p","bytes":3"#),
        (.available(id: "r"), #""available","id":"r""#),
        (
            .error(id: "r", .noManifest("m")),
            #""error","id":"r","domain":"NSCocoaErrorDomain","code":4994,"class":"unexpected","#
                + #""message":"The requested application data doesn't exist: m","#
                + #""underlying":{"domain":"_NSBundleResourceRequestErrorDomain","code":100,"message":"m"}"#
        ),
        (.ended(id: "r"), #""ended","id":"r""#),
        (
            .conditional(id: "r", tags: ["a"], isAvailable: false),
            #""conditional","id":"r","tags":["a"],"available":false"#
        ),
        (
            .misuse(id: "r", .endedTwice),
            #""misuse","id":"r","rule":"ended-twice","#
                + #""message":"The request was ended twice: one end is owed for each callback of begin.""#
        ),
        (.paused(id: "r"), #""paused","id":"r""#),
        (.resumed(id: "r"), #""resumed","id":"r""#),
        (.priority(id: "r", .urgent), #""priority","id":"r","priority":"urgent""#),
        (.priority(id: "r", .normal(0.25)), #""priority","id":"r","priority":0.25"#),
        (
            .purged(pack: "p", bytes: 3, bundle: "com.example.other"),
            #""purged","pack":"p","bytes":3,"bundle":"com.example.other""#
        ),
        (.purged(pack: "p", bytes: 3), #""purged","pack":"p","bytes":3"#),
        (.notification(name: "N"), #""notification","name":"N""#),
        (.room(needed: 2, freed: 3), #""room","needed":2,"freed":3"#),
        (.usage(stored: 2, inUse: 1, peak: 3), #""usage","stored":2,"inUse":1,"peak":3"#),
    ]

    @Test(arguments: lines)
    func eachEventHasItsLine(kind: LoaderEvent.Kind, rest: String) {
        #expect(LoaderEvent(time: 7, kind: kind).line.line == #"{"v":1,"t":7,"event":\#(rest)}"# + "\n")
    }

    @Test func textsAreEscaped() {
        var line = JSONLine()
        line.add("k\"", "a\\b\n\r\t\u{1}ü😀")
        line.add("n", Double.nan)
        #expect(line.line == #"{"k\"":"a\\b\n\r\t\u0001ü😀","n":null}"# + "\n")
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
