import Foundation
import Testing

@testable import HeadwindControl

/// Events as they happen.
extension LinkTests {
    @Test func eventsAreReadAsTheyHappen() async throws {
        try await withServer { upstream in
            try await withStandingProxy(program: Self.program) { proxy in
                try await proxy.control.withLink("wifi", upstream: upstream) { link in
                    let events = try await proxy.control.events()
                    try await link.set(Conditions(dnsDelay: "10 ms"))
                    #expect(try await fetch("http://\(link.address)/") == "hello")
                    var seen: [Event] = []
                    for try await event in events {
                        seen.append(event)
                        if event.kind == "closed" { break }
                    }
                    let first = try #require(seen.first)
                    #expect(first.kind == "conditions" && first.connection == 0 && first.link == link.name)
                    #expect(first["conditions"] == Conditions(dnsDelay: "10 ms") && first["generation"] == 2)
                    #expect(seen.map(\.id) == Array(first.id..<first.id + seen.count))
                    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.time <= $1.time })
                    let opened = try #require(seen.first { $0.kind == "opened" })
                    #expect(opened["target"] == upstream && opened.connection == 1 && opened.link == link.name)
                    #expect(opened["absent"] as String? == nil && opened["target"] as Int? == nil)
                    let closed = try #require(seen.last)
                    let bytes: Int? = closed["downlink"]
                    #expect(try #require(bytes) > 5 && closed["cause"] as String? != nil)
                }
            }
        }
    }

    @Test func aDroppedSequenceEndsItsRequest() async throws {
        try await withStandingProxy(program: Self.program) { proxy in
            for number in 0..<20 {
                let isCancelled = number % 2 == 1
                weak var reader: EventReader?
                let (beginning, begin) = AsyncThrowingStream.makeStream(of: Void.self, throwing: (any Error).self)
                do {
                    let (events, add) = AsyncThrowingStream.makeStream(of: Event.self, throwing: (any Error).self)
                    let made = EventReader(
                        try proxy.control.request("GET", "events"), at: proxy.control.place, begin: begin, add: add)
                    reader = made
                    for try await _ in beginning {}
                    try await proxy.control.putLink("link", offline: isCancelled ? nil : .silent)
                    if isCancelled {
                        let task = Task { for try await _ in events {} }
                        task.cancel()
                        try await task.value
                    } else {
                        for try await _ in events { break }
                    }
                }
                // The session holds its delegate while the request goes on.
                let deadline = ContinuousClock.now + .seconds(20)
                while reader != nil, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(10)) }
                #expect(reader == nil)
            }
        }
    }

    @Test func anEndOfEventsSaysWhy() async throws {
        let events = try await withStandingProxy(program: Self.program) { proxy in
            let (beginning, begin) = AsyncThrowingStream.makeStream(of: Void.self, throwing: (any Error).self)
            let (nothing, add) = AsyncThrowingStream.makeStream(of: Event.self, throwing: (any Error).self)
            let request = try proxy.control.request("GET", "nothing")
            _ = EventReader(request, at: proxy.control.place, begin: begin, add: add)
            let refusal = await #expect(throws: ControlError.self) { for try await _ in beginning {} }
            await #expect(throws: ControlError.self) { for try await _ in nothing {} }
            #expect(refusal?.status == 404 && refusal?.message == "there is no such path")
            return try await proxy.control.events()
        }
        let error = await #expect(throws: ControlError.self) { for try await _ in events {} }
        #expect(error?.status == nil && error?.message.hasPrefix("could not reach the proxy at http://") == true)
    }

    @Test func eventsMayComeLate() async throws {
        try await withStandingProxy(program: Self.program) { proxy in
            let events = try await proxy.control.events()
            try await Task.sleep(for: .seconds(2))
            try await proxy.control.main().offline()
            for try await event in events {
                #expect(event.kind == "conditions" && event.link == "main")
                break
            }
        }
    }

    @Test func aMissingNumberIsVisible() throws {
        var lines = EventLines()
        let text = """
            : from now on

            id: 3
            data: {"t":9007199254740993,"connection":2,"event":"new","link":"a:b",
            data:"list":[1,null,true]}

            id:7
            data: {"t":9007199254740994,"event":"conditions"}


            """
        let events = try text.split(separator: "\n", omittingEmptySubsequences: false).compactMap {
            try lines.event(after: String($0))
        }
        #expect(events.map(\.id) == [3, 7] && events.map(\.time) == [9_007_199_254_740_993, 9_007_199_254_740_994])
        #expect(events.map(\.link) == ["a:b", "main"] && events.map(\.connection) == [2, 0])
        #expect(events.first?.members["list"] == [1, .null, true])
    }
}
