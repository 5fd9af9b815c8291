import Redaction
import Testing

@Suite("Redaction")
struct RedactionTests {
    @Test(
        "an address loses user name, query and fragment",
        arguments: [
            ("https://cdn.example/a.zip", "https://cdn.example/a.zip"),
            ("https://cdn.example/a.zip?sig=1&e=2", "https://cdn.example/a.zip?[redacted]"),
            ("https://me:pw@cdn.example:8443/a", "https://[redacted]@cdn.example:8443/a"),
            ("https://me:p@w@cdn.example/a", "https://[redacted]@cdn.example/a"),
            ("https://cdn.example/a@b?x", "https://cdn.example/a@b?[redacted]"),
            ("https://cdn.example?x", "https://cdn.example?[redacted]"),
            (
                "http://a.example/r/https://bob:pw@b.example/x?y",
                "http://a.example/r/https://[redacted]@b.example/x?[redacted]"
            ),
            ("https://a.example/x?u=https://b:c@d.example", "https://a.example/x?[redacted]"),
            ("svc:pw@proxy.example:3128/a?b=1", "[redacted]@proxy.example:3128/a?[redacted]"),
            ("/packs/a?token=1", "/packs/a?[redacted]"), ("/packs/a#part", "/packs/a#[redacted]"), ("", ""),
        ])
    func url(_ url: String, _ expected: String) {
        #expect(Redaction.url(url) == expected)
    }

    @Test(
        "a text loses secrets that its form shows",
        arguments: [
            ("nothing to hide: 3 of 4", "nothing to hide: 3 of 4"),
            ("GET https://a.example/x?sig=1 failed", "GET https://a.example/x?[redacted] failed"),
            ("GET '/x?sig=1' failed", "GET '/x?[redacted]' failed"),
            ("see <https://u:p@a.example/>", "see <https://[redacted]@a.example/>"),
            ("Authorization: Bearer abc.def", "Authorization:[redacted]"),
            ("sent Cookie: a=1; b=2\nHost: a.example", "sent Cookie:[redacted]\nHost: a.example"),
            ("-H 'X-Api-Key: 123' https://a.example/", "-H 'X-Api-Key:[redacted]' https://a.example/"),
            ("AWS_SECRET_ACCESS_KEY=abc make", "AWS_SECRET_ACCESS_KEY=[redacted] make"),
            ("TOKEN=\"a b\" make", "TOKEN=[redacted] make"),
            (#"{"token": "abc", "size": 3}"#, #"{"token":[redacted], "size": 3}"#),
            (#"{"token": 123, "size": 3}"#, #"{"token":[redacted], "size": 3}"#),
            ("with bearer abc it fails", "with bearer [redacted] it fails"),
            ("user=bob&password=abc&x=1", "user=bob&password=[redacted]&x=1"),
            ("grant_type=x&client_secret=abc", "grant_type=x&client_secret=[redacted]"),
            ("get host.example:8080/x?sig=1 now", "get host.example:8080/x?[redacted] now"),
            ("curl -u bob:abc -o x y.example", "curl -u [redacted] -o x y.example"),
            ("curl -u 'bob:abc' -ubob:abc", "curl -u '[redacted]' -u[redacted]"),
            ("curl -b a=1 --oauth2-bearer abc z", "curl -b [redacted] --oauth2-bearer [redacted] z"),
            ("sort -u names; cut -b 1", "sort -u names; cut -b 1"), ("Private-Key: abc", "Private-Key:[redacted]"),
            ("what is a?b", "what is a?b"), ("lives in bypass=1", "lives in bypass=1"),
            ("why? because", "why? because"), ("PATH=/bin", "PATH=/bin"), ("", ""), ("token:", "token:[redacted]"),
        ])
    func text(_ text: String, _ expected: String) {
        #expect(Redaction.text(text) == expected)
    }

    @Test(
        "spaces around a sign, and forms within others, do not hide secrets",
        arguments: [
            ("aws_secret_access_key = abc\nregion = x", "aws_secret_access_key =[redacted]\nregion = x"),
            ("api-key =abc", "api-key =[redacted]"), ("my_token= abc now", "my_token=[redacted] now"),
            ("password : a b", "password :[redacted]"), ("token == 'a b' fails", "token ==[redacted] fails"),
            (#"{ "token" : "abc", "size" : 3 }"#, #"{ "token" :[redacted], "size" : 3 }"#),
            (#"{"tokens": ["a", "b"], "n": 1}"#, #"{"tokens":[redacted], "n": 1}"#),
            (#"{"credentials": {"id": "a", "key": "b"}}"#, #"{"credentials":[redacted]}"#),
            ("mytool --token abc now", "mytool --token [redacted] now"),
            ("mytool --password 'a b' now", "mytool --password '[redacted]' now"),
            (#"["--token", "abc", "x"]"#, #"["--token", "[redacted]", "x"]"#),
            ("a=b&client_secret=abc&next=https://app/cb", "a=b&client_secret=[redacted]&next=https://app/cb"),
            ("token=abc&next=https://app/cb?x=1&y=2", "token=[redacted]&next=https://app/cb?[redacted]"),
            ("redirect_uri=https://app/cb&client_secret=abc", "redirect_uri=https://app/cb&client_secret=[redacted]"),
            ("password=a?b=c", "password=[redacted]"), ("password=a?b&c=d", "password=[redacted]"),
            ("token=https://a.example/b", "token=[redacted]"),
            ("HTTPS_PROXY=http://svc:pw@proxy:3128 make", "HTTPS_PROXY=http://[redacted]@proxy:3128 make"),
            ("no route to svc:pw@proxy:3128", "no route to [redacted]@proxy:3128"),
            ("proxy=svc:pw@10.0.0.1:80/x", "proxy=[redacted]@10.0.0.1:80/x"),
            ("GET http://a/r/https://bob:pw@b/", "GET http://a/r/https://[redacted]@b/"),
            ("curl -fsSLu bob:pw a.example", "curl -fsSLu [redacted] a.example"),
            ("curl -sSubob:pw -x svc:pw@a.example", "curl -sSu[redacted] -x [redacted]@a.example"),
            ("curl -xsvc:pw@a.example:80", "curl -x[redacted]@a.example:80"),
            ("curl -d 'client_secret=abc&b=https://app/cb'", "curl -d 'client_secret=[redacted]&b=https://app/cb'"),
        ])
    func hiddenForms(_ text: String, _ expected: String) {
        #expect(Redaction.text(text) == expected)
    }

    @Test(
        "text that only looks like a secret stays",
        arguments: [
            "at 12:30@host", "2026-11-22T12:30:15@host", "image:1.2@sha256:0a1b", "level.bin:cut@52428800",
            "pack:1@2.0", "mailto:bob@a.example", "git@a.example:games/x", "give --token or --password",
            "no option '--token' here", "no secret - and no token here", "sort -nu names; ls -lu /a",
            "headwind run --capture --keep-secrets s.yaml", "test \"$TOKEN\" = x", "mytool --token \"$TOKEN\" now",
            "systemctl --user start x", "at:http://a.example/b", "http://a.example/b&c=d", "x=1&y=2", "a = b",
            "curl -fsSLu https://a.example/", "tar -xzf a:b", "time_to_available: median <= 1.5 x ideal",
        ])
    func harmless(_ text: String) {
        #expect(Redaction.text(text) == text)
    }

    @Test(
        "a command line loses the values of secret options",
        arguments: [
            (
                ["curl", "-u", "me:pw", "https://a.example/?x"],
                ["curl", "-u", "[redacted]", "https://a.example/?[redacted]"]
            ),
            (["x", "--token=abc", "--token", "abc", "y"], ["x", "--token=[redacted]", "--token", "[redacted]", "y"]),
            (["x", "--header", "Authorization: Basic abc"], ["x", "--header", "Authorization:[redacted]"]),
            (["x", "--header", "Accept: */*"], ["x", "--header", "Accept: */*"]),
            (["curl", "-ubob:abc", "-U", "b:c"], ["curl", "-u[redacted]", "-U", "[redacted]"]),
            (["curl", "--pass", "abc", "--auth", "b:c"], ["curl", "--pass", "[redacted]", "--auth", "[redacted]"]),
            (["curl", "--cert", "me.pem:abc", "y"], ["curl", "--cert", "me.pem:[redacted]", "y"]),
            (["curl", "--cert", "me.pem", "y"], ["curl", "--cert", "me.pem", "y"]),
            (["curl", "-d", "user=bob&password=abc"], ["curl", "-d", "user=bob&password=[redacted]"]),
            (["curl", "-fsSLu", "bob:abc", "y"], ["curl", "-fsSLu", "[redacted]", "y"]),
            (["curl", "-sSubob:abc"], ["curl", "-sSu[redacted]"]),
            (["curl", "-x", "svc:abc@a.example:80"], ["curl", "-x", "[redacted]@a.example:80"]),
            (
                ["curl", "-d", "client_secret=abc&redirect_uri=https://a.example/cb"],
                ["curl", "-d", "client_secret=[redacted]&redirect_uri=https://a.example/cb"]
            ),
            (["sh", "-c", "curl -fsSLu bob:abc y"], ["sh", "-c", "curl -fsSLu [redacted] y"]),
            (["sort", "-nu", "names"], ["sort", "-nu", "names"]),
            (["headwind", "run", "--keep-secrets", "s.yaml"], ["headwind", "run", "--keep-secrets", "s.yaml"]),
            (["x", "--header-env", "TOKEN"], ["x", "--header-env", "TOKEN"]), ([], []),
        ])
    func arguments(_ arguments: [String], _ expected: [String]) {
        #expect(Redaction.arguments(arguments) == expected)
    }

    @Test(
        "a line of a program's output is kept without secrets and control characters, and cut at its end",
        arguments: [
            ("curl: (22) The requested URL returned error: 404", "curl: (22) The requested URL returned error: 404"),
            ("\u{1B}[31mto\u{0}ken=abc\u{202E}\tx", "[31mtoken=[redacted] x"), ("a\u{85}b", "a b"),
            ("Cookie: " + String(repeating: "s", count: 900), "Cookie:[redacted]"),
            (String(repeating: "a", count: 500), String(repeating: "a", count: 500)),
            ("a" + String(repeating: "é", count: 300), "a" + String(repeating: "é", count: 249) + "…"),
        ])
    func outputLine(_ line: String, _ expected: String) {
        #expect(Redaction.outputLine(line.utf8) == expected)
        #expect(Redaction.outputLine(expected.utf8) == expected)
    }

    @Test("bytes that are not text are replaced")
    func outputBytes() {
        #expect(Redaction.outputLine([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
        #expect(Redaction.outputLine(Array(repeating: 0xFF, count: 4096)).utf8.count <= 503)
    }

    @Test("a long text is read once")
    func longText() {
        let text = String(repeating: "token=\"", count: 50_000)
        #expect(Redaction.text(text).hasPrefix("token=[redacted]"))
    }
}
