import Testing

@testable import Evidence

/// What a client's events show of its app's life.
@Suite struct ClientLifeTests {
    private static func log(_ events: [String], isBuiltIn: Bool = true) -> ClientLog {
        var log = ClientLog(isBuiltIn: isBuiltIn)
        for (index, event) in events.enumerated() {
            _ = log.append(line: Array("{\"v\":1,\"t\":\(index + 1),\(event)}".utf8))
        }
        return log
    }

    private static func came(_ pack: String, _ bytes: Int) -> [String] {
        [
            "\"event\":\"response\",\"pack\":\"\(pack)\",\"status\":200,\"from\":0",
            "\"event\":\"received\",\"pack\":\"\(pack)\",\"bytes\":\(bytes)",
            "\"event\":\"stored\",\"pack\":\"\(pack)\",\"bytes\":\(bytes)",
        ]
    }

    private static func used(_ pack: String) -> String { "\"event\":\"used\",\"id\":\"r\",\"packs\":[\"\(pack)\"]" }
    private static func purged(_ pack: String) -> String { "\"event\":\"purged\",\"pack\":\"\(pack)\",\"bytes\":1" }

    @Test func usedPacksAreNotWasted() {
        #expect(Self.log(came2 + [Self.used("a")]).life.wastedBytes == 7)
        #expect(Self.log(came2 + [Self.used("a"), Self.purged("a")]).life.wastedBytes == 7)
        #expect(Self.log(came2 + [Self.purged("a"), Self.used("b")]).life.wastedBytes == 100)
    }

    @Test func aPackThatIsFetchedAgainAndNotUsedIsWasted() {
        let events = Self.came("a", 100) + [Self.used("a"), Self.purged("a")]
        #expect(Self.log(events).life.wastedBytes == 0)
        #expect(Self.log(events + Self.came("a", 90)).life.wastedBytes == 90)
        #expect(Self.log(events + Self.came("a", 90) + [Self.used("a")]).life.wastedBytes == 0)
    }

    @Test func anUnusedOlderEditionIsWasted() {
        let events = Self.came("a", 100) + ["\"event\":\"update\",\"version\":2"] + Self.came("a", 90)
        #expect(Self.log(events + [Self.used("a")]).life.wastedBytes == 100)
    }

    @Test func aPartialDownloadIsWasted() {
        let part = ["\"event\":\"received\",\"pack\":\"a\",\"bytes\":30"]
        #expect(Self.log(part).life.wastedBytes == 30)
        #expect(Self.log(part + Self.came("a", 70) + [Self.used("a")]).life.wastedBytes == 0)
    }

    @Test func anAnswerCountsForTheRadioAtItsHead() {
        let events = [
            "\"event\":\"start\",\"radio\":\"cellular\"",
            "\"event\":\"response\",\"pack\":\"a\",\"status\":200,\"from\":0", "\"event\":\"radio\",\"radio\":\"wifi\"",
            "\"event\":\"received\",\"pack\":\"a\",\"bytes\":40",
            "\"event\":\"response\",\"pack\":\"a\",\"status\":206,\"from\":40",
            "\"event\":\"received\",\"pack\":\"a\",\"bytes\":60",
        ]
        #expect(Self.log(events).life.bytesByRadio == ["cellular": 40, "wifi": 60])
    }

    @Test func packsBelongToTheirBundle() {
        let events =
            ["\"event\":\"launch\",\"bundle\":\"one\""] + Self.came("a", 100)
            + ["\"event\":\"quit\"", "\"event\":\"launch\",\"bundle\":\"two\""]
        #expect(Self.log(events).life.held == [:])
        let purge = "\"event\":\"purged\",\"pack\":\"a\",\"bytes\":1,\"bundle\":\"one\""
        let back = Self.log(events + [purge, "\"event\":\"launch\",\"bundle\":\"one\""])
        #expect(back.life.held == [:] && back.life.wastedBytes == 100)
    }

    /// A foreign client may use such a member's name for something else: its events still count.
    @Test func membersOfOtherKindsAreLeftOut() {
        let log = Self.log(
            [
                "\"event\":\"progress\",\"id\":\"x\",\"fraction\":0.5,\"packs\":3,\"bundle\":[],\"radio\":1,\"rule\":{}",
                "\"event\":\"request\",\"id\":\"x\",\"prefetch\":\"yes\"",
            ], isBuiltIn: false)
        #expect(log.events.count == 2 && log.strayLines == 0)
        #expect(log.events[0].packs == nil && log.requests[0].isPrefetch == false)
    }

    private let came2 = Self.came("a", 100) + Self.came("b", 7)
}
