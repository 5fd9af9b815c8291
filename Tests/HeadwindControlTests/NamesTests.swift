import Foundation
import Testing

@testable import HeadwindControl

/// Links, proxies and connections by name.
extension LinkTests {
    @Test func linksAndProxiesAreMadeListedAndRemoved() async throws {
        try await withServer { upstream in
            try await withStandingProxy(program: Self.program) { proxy in
                let control = proxy.control
                let schedule = "schedule version=1\n"
                try await control.putLink("a/b", profile: "wifi", seed: .max, schedule: schedule)
                let state = try #require(try await control.links["a/b"])
                #expect(state.name == "a/b" && state.seed == .max && state.profile == "wifi" && state.offline == nil)
                #expect(state.schedule?.hasPrefix("schedule version=1") == true)
                await #expect(throws: ControlError.self) { try await control.putLink("a/b", seed: 2) }
                let made = try await control.putProxy("api", upstream: upstream, link: "a/b")
                #expect(try await control.proxies == ["api": made])
                #expect(made.isEnabled && made.upstream == upstream && made.link == "a/b" && made.toxics.isEmpty)
                #expect(try await fetch("http://\(made.listen)/") == "hello")
                #expect(try await control.links["a/b"]?.status.proxies == ["api"])
                let inUse = await #expect(throws: ControlError.self) { try await control.removeLink("a/b") }
                #expect(inUse?.status == 409)
                #expect(try await !control.putProxy("api", upstream: upstream, isEnabled: false).isEnabled)
                try await control.putLink("a/b", conditions: Conditions(mtu: 1400), offline: .refused)
                #expect(try await control.links["a/b"]?.conditions == Conditions(mtu: 1400, offline: .refused))
                try await control.putLink("a/b", profile: "3g", offline: .silent)
                #expect(try await control.links["a/b"]?.offline == .silent)
                try await control.removeProxy("api")
                try await control.removeLink("a/b")
                #expect(try await control.proxies.isEmpty)
                #expect(try await control.links.keys.sorted() == ["main"])
            }
        }
    }

    @Test func aLinkOfABlockHasItsSchedule() async throws {
        try await withStandingProxy(program: Self.program) { proxy in
            let schedule = "schedule version=1\n"
            try await proxy.control.withLink("wifi", upstream: "127.0.0.1:9", schedule: schedule) { link in
                let state = try await link.state
                #expect(state.schedule?.hasPrefix("schedule version=1") == true && state.profile == "wifi")
            }
        }
    }

    @Test func anOpenConnectionIsListed() async throws {
        try await withServer { upstream in
            try await withStandingProxy(program: Self.program) { proxy in
                try await proxy.control.withLink("wifi", upstream: upstream) { link in
                    #expect(try await proxy.control.connections.isEmpty)
                    let events = try await proxy.control.events()
                    try await link.offline(.silent)
                    let download = Task { try await fetch("http://\(link.address)/") }
                    for try await event in events where event.kind == "opened" { break }
                    let connection = try #require(try await proxy.control.connections.first)
                    #expect(connection.link == link.name && connection.proxy == link.name && connection.id > 0)
                    #expect(connection.target == upstream && connection.client?.hasPrefix("127.0.0.1:") == true)
                    #expect(connection.downlink == 0 && connection.serverName == nil)
                    try await link.online()
                    #expect(try await download.value == "hello")
                }
            }
        }
    }
}
