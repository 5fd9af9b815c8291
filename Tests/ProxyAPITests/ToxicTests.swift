import ProxyAPI
import ProxyLink
import Testing

/// Toxics as clients add, read, change and remove them.
@Suite(.timeLimit(.minutes(1)))
struct ToxicTests {
    private func withProxy(_ body: (APIClient) async throws -> Void) async throws {
        try await APIClient.with { client in
            _ = try await client.ask("POST /proxies", #"{"name": "p", "upstream": "b:1", "enabled": false}"#)
            try await body(client)
        }
    }

    /// Each type: its defaults, its attributes, and one of them changed.
    @Test(arguments: [
        (
            "latency", #"{"latency":0,"jitter":0}"#, #"{"latency":100,"jitter":10}"#, #"{"jitter":7}"#,
            #"{"latency":100,"jitter":7}"#
        ),
        ("noop", "{}", "{}", "{}", "{}"),
        ("bandwidth", #"{"rate":0}"#, #"{"rate":1024}"#, #"{}"#, #"{"rate":1024}"#),
        ("slow_close", #"{"delay":0}"#, #"{"delay":5}"#, #"{"delay":6}"#, #"{"delay":6}"#),
        ("timeout", #"{"timeout":0}"#, #"{"timeout":5}"#, #"{"timeout":6}"#, #"{"timeout":6}"#),
        ("reset_peer", #"{"timeout":0}"#, #"{"timeout":5}"#, #"{"timeout":6}"#, #"{"timeout":6}"#),
        (
            "slicer", #"{"average_size":0,"size_variation":0,"delay":0}"#,
            #"{"average_size":64,"size_variation":32,"delay":10}"#, #"{"delay":11}"#,
            #"{"average_size":64,"size_variation":32,"delay":11}"#
        ),
        ("limit_data", #"{"bytes":0}"#, #"{"bytes":9000000000}"#, #"{"bytes":1.0}"#, #"{"bytes":1}"#),
        (
            "packet_loss", #"{"loss_rate":0,"correlation":0}"#, #"{"loss_rate":0.1,"correlation":0.25}"#,
            #"{"loss_rate":1}"#, #"{"loss_rate":1,"correlation":0.25}"#
        ),
    ])
    func everyTypeIsAddedReadChangedAndRemoved(
        type: String, defaults: String, given: String, change: String, changed: String
    ) async throws {
        try await withProxy { client in
            let plain = try await client.ask("POST /proxies/p/toxics", #"{"type": "\#(type)"}"#)
            #expect(plain.status == 200)
            #expect(
                plain.text
                    == #"{"attributes":\#(defaults),"name":"\#(type)_downstream","type":"\#(type)","stream":"downstream","toxicity":1}"#
            )
            let own = try await client.ask(
                "POST /proxies/p/toxics",
                #"{"type": "\#(type)", "stream": "upstream", "name": "own", "toxicity": 0.5, "attributes": \#(given)}"#)
            let shown =
                #"{"attributes":\#(given),"name":"own","type":"\#(type)","stream":"upstream","toxicity":0.5}"#
            #expect(own.status == 200 && own.text == shown)
            // Toxics of the upstream come first, as Toxiproxy lists them.
            #expect(try await client.ask("GET /proxies/p/toxics").text == "[\(shown),\(plain.text)]")
            #expect(try await client.ask("GET /proxies/p/toxics/own").text == shown)
            #expect(try await client.ask("GET /proxies/p").text.contains(#""toxics":[\#(shown),\#(plain.text)]"#))
            for method in ["POST", "PATCH"] {
                let answer = try await client.ask(
                    "\(method) /proxies/p/toxics/own",
                    #"{"attributes": \#(change), "name": "x", "type": "y", "stream": "z"}"#)
                #expect(answer.text == shown.replacing(given, with: changed) && answer.status == 200)
            }
            let more = try await client.ask("PATCH /proxies/p/toxics/own", #"{"toxicity": 1}"#)
            #expect(try more.value("toxicity") == "1")
            #expect(try await client.ask("DELETE /proxies/p/toxics/own").status == 204)
            #expect(try await client.ask("GET /proxies/p/toxics").text == "[\(plain.text)]")
        }
    }

    @Test(arguments: [
        (
            #"{"type": "latency", "stream": "sideways"}"#, 400,
            "stream was invalid, can be either upstream or downstream"
        ),
        (#"{"type": "nope"}"#, 400, "invalid toxic type"), ("{}", 400, "invalid toxic type"),
        ("", 400, "bad request body"),
        (#"{"type": "slicer", "name": "there"}"#, 409, "toxic already exists"),
        (#"{"type": "latency", "name": "there", "stream": "upstream"}"#, 409, "toxic already exists"),
        (#"{"type": "latency", "attributes": {"latency": "1"}}"#, 400, "a whole number"),
        (#"{"type": "latency", "attributes": {"latency": 1.5}}"#, 400, "a whole number"),
        (#"{"type": "latency", "attributes": {"latency": 99999999999999999999}}"#, 400, "a whole number"),
        (#"{"type": "latency", "attributes": []}"#, 400, "an object"),
        (#"{"type": "latency", "toxicity": "high"}"#, 400, "a number"),
        (#"{"type": "profile"}"#, 400, "missing required field: profile"),
        (#"{"type": "profile", "attributes": {"profile": "4g"}}"#, 400, "there is no profile '4g'"),
        (#"{"type": "profile", "attributes": {"profile": "/etc/passwd"}}"#, 400, "never a file"),
        (#"{"type": "profile", "toxicity": 0.5, "attributes": {"profile": "3g"}}"#, 400, "its toxicity must be 1"),
    ])
    func aRefusedToxicSaysWhy(body: String, status: Int, says: String) async throws {
        try await withProxy { client in
            _ = try await client.ask("POST /proxies/p/toxics", #"{"type": "timeout", "name": "there"}"#)
            let answer = try await client.ask("POST /proxies/p/toxics", body)
            #expect(answer.status == status && answer.text.contains(says), "\(answer.text)")
            #expect(try await client.named.proxy("p").toxics.map(\.name) == ["there"])
        }
    }

    @Test func streamsMayBeWrittenInCapitalsAndExtremesAreTaken() async throws {
        try await withProxy { client in
            let body =
                #"{"type": "latency", "stream": "UPSTREAM", "toxicity": 7, "attributes": {"latency": -1, "other": []}}"#
            let answer = try await client.ask("POST /proxies/p/toxics", body)
            #expect(try answer.status == 200 && answer.value("stream") == "upstream")
            // As in Toxiproxy, the name has the stream as it was written.
            #expect(try answer.value("attributes.latency") == "-1" && answer.value("name") == "latency_UPSTREAM")
        }
    }

    /// What Toxiproxy.Net sends: it does not name its members as Toxiproxy does, which reads them in any case.
    @Test func keysMayHaveCapitals() async throws {
        try await APIClient.with { client in
            let made = try await client.ask(
                "POST /proxies", #"{"Name": "one", "Listen": "127.0.0.1:0", "Upstream": "one.com", "Enabled": true}"#)
            #expect(try made.status == 201 && made.value("upstream") == "one.com", "\(made.text)")
            let toxic = try await client.ask(
                "POST /proxies/one/toxics",
                #"""
                {"Attributes": {"Latency": 1000, "Jitter": 10}, "Name": null, "Type": "latency", "Stream": "DownStream",
                 "Toxicity": 0.5}
                """#)
            #expect(
                try toxic.value("attributes.latency") == "1000" && toxic.value("toxicity") == "0.5", "\(toxic.text)")
            let off = try await client.ask("POST /proxies/one", #"{"Enabled": false, "enabled": null}"#)
            #expect(try off.value("enabled") == "true", "the exact key counts")
            #expect(try await client.ask("PATCH /proxies/one", #"{"Enabled": false}"#).value("enabled") == "false")
        }
    }

    /// What a link followed before the profile of a toxic, it follows afterwards.
    @Test(arguments: ["DELETE /proxies/p/toxics/profile_downstream", "POST /reset", "DELETE /proxies/p"])
    func aProfileGoesWithItsToxic(request: String) async throws {
        try await APIClient.with { client in
            _ = try await client.ask("PUT /v2/links/radio", #"{"profile": "3g", "offline": "refused"}"#)
            let before = try await client.named.link("radio")
            #expect(before.profile?.name == "3g" && before.offline == .refused)
            let body = #"{"name": "p", "upstream": "b:1", "link": "radio", "enabled": false}"#
            #expect(try await client.ask("POST /proxies", body).status == 201)
            for profile in ["edge", "wifi"] {
                let toxic = #"{"type": "profile", "attributes": {"profile": "\#(profile)"}}"#
                let there = profile == "wifi"
                let answer = try await client.ask(
                    there ? "PATCH /proxies/p/toxics/profile_downstream" : "POST /proxies/p/toxics", toxic)
                #expect(answer.status == 200)
                let link = try await client.named.link("radio")
                #expect(link.profile?.name == profile && link.offline == nil)
            }
            #expect(try await client.ask(request).status == 204)
            let after = try await client.named.link("radio")
            #expect(after.profile == before.profile && after.offline == before.offline)
        }
    }

    @Test func aProfileIsAToxicOfTheWholeLink() async throws {
        try await withProxy { client in
            let body = #"{"type": "profile", "attributes": {"profile": "3g"}}"#
            let answer = try await client.ask("POST /proxies/p/toxics", body)
            #expect(try answer.status == 200 && answer.value("attributes.profile") == "3g", "\(answer.text)")
            let second = try await client.ask(
                "POST /proxies/p/toxics", body.replacing("{\"type\"", with: #"{"name": "b", "type""#))
            #expect(
                second.status == 409 && second.text.contains("'profile_downstream' of the proxy 'p'"), "\(second.text)")
            let changed = try await client.ask(
                "PATCH /proxies/p/toxics/profile_downstream", #"{"attributes": {"profile": "edge"}}"#)
            #expect(try changed.value("attributes.profile") == "edge", "\(changed.text)")
            let own = #"{"profile": "own", "source": "a test", "uplink": {"rate": "1 Mbit/s"}}"#
            let sent = try await client.ask(
                "PATCH /proxies/p/toxics/profile_downstream", #"{"attributes": {"profile": \#(own)}}"#)
            #expect(try sent.value("attributes.profile.uplink.rate") == "1 Mbit/s", "\(sent.text)")
            #expect(try await client.ask("DELETE /proxies/p/toxics/profile_downstream").status == 204)
        }
    }

    @Test func proxiesMayShareALink() async throws {
        try await APIClient.with { client in
            for name in ["a", "b"] {
                let body = #"{"name": "\#(name)", "upstream": "b:1", "link": "radio", "enabled": false}"#
                let made = try await client.ask("POST /proxies", body)
                #expect(try made.value("link") == "radio")
            }
            let body = #"{"type": "profile", "attributes": {"profile": "3g"}}"#
            #expect(try await client.ask("POST /proxies/a/toxics", body).status == 200)
            let other = try await client.ask("POST /proxies/b/toxics", body)
            #expect(other.status == 409 && other.text.contains("of the proxy 'a'"))
            #expect(try await client.ask("POST /reset").status == 204)
            #expect(try await client.ask("POST /proxies/b/toxics", body).status == 200)
        }
    }
}
