import LinkModel
import Netlink
import Testing

@testable import KernelLink

/// Rules of an interface: which are allowed, where each one is, and what is requested from the kernel.
@Suite struct LinkRuleTests {
    private func rule(_ text: String) throws -> LinkRule {
        let (selector, name) = try LinkRule.parts(of: text)
        return LinkRule(selector, Profile(name: name))
    }

    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return ""
        } catch { return "\(error)" }
    }

    @Test(arguments: [
        ("192.168.1.20 3g", "192.168.1.20 3g"), ("443   lte ", "443 lte"), ("fd00::/8\tedge", "fd00::/8 edge"),
        ("02:00:5E:10:00:01 ./a profile.yaml", "02:00:5e:10:00:01 ./a profile.yaml"),
    ])
    func isRead(text: String, wanted: String) throws {
        #expect(try rule(text).description == wanted)
    }

    @Test(arguments: [
        ("", "write its traffic and a profile"), ("443  ", "write its traffic and a profile"),
        ("192.168.1.20", "write its traffic and a profile"),
        ("192.168.1.300 3g", "write a port such as 22, an address"), ("70000 3g", "ports go from 1 to 65535"),
        ("192.168.1.20/24 3g", "did you mean 192.168.1.0/24?"), ("01:00:5e:00:00:01 3g", "a multicast address"),
        ("02:00:00:00:00 3g", "a MAC address such as"), ("+2:00:00:00:00:01 3g", "a MAC address such as"),
        ("3g 192.168.1.20", "Could not read the rule '3g 192.168.1.20': write a port such as 22"),
    ])
    func anUnreadableRuleIsRefused(text: String, wanted: String) {
        let found = message { _ = try rule(text) }
        #expect(found.hasPrefix("Could not read the rule '") && found.contains(wanted), "\(found)")
    }

    /// The first matching rule counts, so a rule whose traffic an earlier one covers is a mistake.
    @Test(arguments: [
        (["192.168.1.20 3g", "192.168.1.20 edge"], [], "comes before it and covers all of its traffic. Remove one"),
        (
            ["192.168.1.0/24 3g", "192.168.1.20 edge"], [],
            "comes before it and covers all of its traffic. Put it before"
        ),
        (["::/0 3g", "fd00::1 edge"], [], "Rule 'fd00::1 edge' would never match"),
        (["443 3g", "443 edge"], [], "Rule '443 edge' would never match: rule '443 3g' comes before"),
        (["02:00:00:00:00:01 3g", "02:00:00:00:00:01 edge"], [], "would never match"),
        (["192.168.1.20 3g"], ["192.168.0.0/16"], "the exception 192.168.0.0/16 covers all of its traffic"),
        (["22 3g"], ["22"], "the exception 22 covers all"),
        ((1...33).map { "\($0) 3g" }, [], "Could not use 33 rules: the maximum is 32"),
        (["192.168.1.20 3g", "192.168.1.0/24 edge", "::/0 lte", "0.0.0.0/0 lte"], ["22", "192.168.1.1"], ""),
        (["443 3g", "02:00:00:00:00:01 3g", "192.168.1.20 3g", "192.168.1.21 3g"], [], ""),
        ((1...32).map { "\($0) 3g" }, [], ""),
    ])
    func overlapsAreRefused(rules: [String], exceptions: [String], wanted: String) throws {
        let rules = try rules.map(rule)
        let exceptions = try exceptions.map { try LinkSelector(parsing: $0) }
        let found = message { _ = try InterfaceShape(nil, rules: rules, exceptions: exceptions) }
        #expect(wanted.isEmpty ? found.isEmpty : found.contains(wanted), "\(found)")
    }

    @Test func theErrorNamesTheRuleThatQueuesCannotDo() throws {
        let stall = Profile(name: "tunnel", stall: Profile.PeriodicStall(period: .seconds(10), length: .seconds(1)))
        let port = try LinkSelector(parsing: "443")
        let found = message { _ = try InterfaceShape(nil, rules: [LinkRule(port, stall)]) }
        #expect(found.hasPrefix("Rule '443 tunnel': the kernel's queues do not support"), "\(found)")
    }

    /// A rule keeps its place when others come and go; if no place is free between two rules, all get new ones.
    @Test(
        arguments: [
            ([nil, nil, nil], [8, 16, 24]), ([8, 16, 24], [8, 16, 24]), ([8, 24], [8, 24]),
            ([8, nil, 24], [8, 16, 24]),
            ([nil, 8], [4, 8]), ([nil, nil, nil, 8], [2, 4, 6, 8]), ([8, nil, nil], [8, 16, 24]),
            ([8, nil, 9], [8, 16, 24]),
            ([16, 8], [8, 16]), ([508, nil], [8, 16]), ([], []),
        ] as [([Int?], [Int])])
    func placesStay(kept: [Int?], wanted: [Int]) {
        #expect(RuleSlot.places(keeping: kept.map { $0.flatMap(RuleSlot.init) }).map(\.number) == wanted)
    }

    /// No number belongs to two rules, or to a rule and the root.
    @Test func placesAreApart() throws {
        let slots = RuleSlot.all.compactMap(RuleSlot.init)
        #expect(slots.count == 511 && RuleSlot(0) == nil && RuleSlot(512) == nil)
        #expect(Set(slots.flatMap(\.priorities)).count == 2 * slots.count)
        #expect(Set(slots.flatMap { Array($0.queues) }).count == slots.reduce(0) { $0 + $1.queues.count })
        for slot in slots {
            #expect(slot.queues.allSatisfy { RuleSlot.having(queue: $0) == slot })
            #expect(slot.priorities.allSatisfy { RuleSlot.having(priority: $0) == slot })
            #expect(slot.priorities.allSatisfy { SelectorFilters.Priority.all.contains($0) })
        }
        for other in [UInt16(0), 1, 0x21, 0x4857, 0x4858, 0xffff] { #expect(RuleSlot.having(queue: other) == nil) }
        let others = [SelectorFilters.Priority.redirection, SelectorFilters.Priority.lastRedirection]
        for other in others { #expect(RuleSlot.having(priority: other) == nil) }
    }

    /// The notes of 32 rules with the longest names fit into the interfaces that hold them.
    @Test func notesAreReadAsTheyWereWritten() throws {
        let slots = RuleSlot.places(keeping: Array(repeating: nil, count: InterfaceShape.mostRules))
        let notes = slots.map { slot in
            RuleNote(
                slot: slot, selector: "2001:db8:1111:2222:3333:4444:5555:\(String(0x1000 + slot.number, radix: 16))",
                profile: RuleNote.name(of: Profile(name: String(repeating: "p", count: 64))), since: 1_800_000_000)
        }
        let texts = RuleNote.texts(notes)
        #expect((2...16).contains(texts.count) && texts.allSatisfy { $0.utf8.count <= 255 })
        #expect(RuleNote.all(texts) == notes && RuleNote.all([]) == [] && RuleNote.texts([]).isEmpty)
        #expect(RuleNote.all(Array(texts.dropLast())) == nil && RuleNote.all(texts.reversed()) == nil)
        for text in [
            "8,1.2.3.4,3g", "0,1.2.3.4,3g,1", "8,x,3g,1", "8,1.2.3.4,,1", "8,1.2.3.4,3g,-1", "16,1,x,1;8,2,x,1",
        ] {
            #expect(RuleNote.all(["headwind 1 rules 1/1 \(text)"]) == nil, "\(text)")
        }
    }

    /// A rule that stays keeps its age; a rule that is new, or has another profile, begins at zero.
    @Test func profilesOfRulesThatStayGoOn() throws {
        let slots = RuleSlot.places(keeping: [nil, nil])
        let notes = [("192.168.1.20", "3g"), ("443", "lte")].enumerated().map { index, kept in
            RuleNote(slot: slots[index], selector: kept.0, profile: kept.1, since: 100)
        }
        let rules = try ["192.168.1.20 3g", "fd00::/8 lte", "443 edge"].map(rule)
        let places = RulePlace.keeping(notes, for: rules, at: 160)
        #expect(places.map(\.slot.number) == [8, 12, 16])
        #expect(places.map(\.age) == [.seconds(60), .zero, .zero] && places.map(\.since) == [100, 160, 160])
    }
}
