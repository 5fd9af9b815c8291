import LinkModel
import PackFormat
import Testing

@testable import Scenarios

/// Keys for error paths: faults of TLS, of the manifest, and a client that is killed.
@Suite struct ErrorPathDecoderTests {
    private static let base = "scenario: Test\ncatalog: adventure\nlink: 3g\n"
    private static let steps = "workload: [{request: {tags: [level-4]}}]\n"

    @Test(arguments: TLSFault.allCases) func tlsFaults(fault: TLSFault) throws {
        let cell = try scenario(Self.base + Self.steps + "tls: {fault: \(fault.rawValue)}").cells[0]
        #expect(cell.tls && cell.tlsFault == fault && !cell.http2)
    }

    @Test func manifests() throws {
        let plain = try scenario(Self.base + Self.steps).cells[0]
        #expect(!plain.fetchesManifest && plain.omitted.isEmpty && plain.tlsFault == nil)
        let cell = try scenario(Self.base + Self.steps + "manifest: fetched\nomitted: [level-4, bonus]").cells[0]
        #expect(cell.fetchesManifest && cell.omitted == ["level-4", "bonus"])
        #expect(try !scenario(Self.base + Self.steps + "manifest: bundled").cells[0].fetchesManifest)
    }

    @Test(arguments: [("client", "killed", LinkFault.Effect.clientKilled), ("device", "full", .deviceFull)])
    func faultsBehindTheLink(subject: String, word: String, effect: LinkFault.Effect) throws {
        let text = "faults: [{after: 40 % of level-4, \(subject): \(word)}]"
        let fault = LinkFault(trigger: .packShare(Ratio(partsPerBillion: 400_000_000), pack: "level-4"), effect: effect)
        #expect(try scenario(Self.base + Self.steps + text).cells[0].linkFaults == [fault])
        #expect(fault.change.text == "\(subject) \(word) after=pack:level-4:40%")
        let listed = "schedule: [\(fault.change.text)]"
        #expect(try scenario(Self.base + Self.steps + listed).cells[0].linkFaults == [fault])
    }

    @Test(arguments: [
        (steps + "device: {storage: 65 MB}", "a device of more than 64 MB cannot become full"),
        (
            "workload: {command: 'true'}\nexpect: {exit: 0, oracle: 'true'}",
            "an oracle cannot see the files of a device that becomes full"
        ),
        ("workload: {command: 'curl -O {url}', pack: level-4, directory: /tmp}", "'directory' is not on the device"),
    ])
    func aDeviceThatCannotBecomeFull(text: String, message: String) throws {
        let fault = "\nfaults: [{after: 1 s, device: full}]"
        let found = try problems(inScenario: (Self.base + text + fault).utf8)
        #expect(found.contains { "\($0)".contains(message) }, "\(found)")
        #expect(try scenario(Self.base + text).cells.count == 1)
    }

    @Test(arguments: [
        (steps + "tls: {fault: expird}", "5:14 'expird' is not a TLS fault"),
        (steps + "tls: {}", "5:6"),
        (steps + "tls: {fault: expired, http2: true}", "5:"),
        (steps + "faults: [{pack: level-4, cut: {at: 1, how: goaway}}]", "5:"),
        (steps + "tls: true\nfaults: [{pack: level-4, cut: {at: 1, how: rst-stream}}]", "6:"),
        (steps + "manifest: fetch", "5:11 'fetch' is not a source of the manifest"),
        ("workload: {command: ['true']}\nmanifest: fetched", "5:1 'manifest' is for the built-in client"),
        (steps + "faults: [{after: 1 s, client: dead}]", "5:31 'dead' is not an effect on the client: killed"),
        (
            steps + "faults: [{after: 1 s, client: killed, for: 1 s}]",
            "a killed client is restarted at once"
        ),
        (steps + "faults: [{after: 1 s, device: fll}]", "5:31 'fll' is not an effect on the device: full"),
        (steps + "faults: [{after: 1 s, device: full, until: 2 s}]", "a full device stays full"),
        (
            steps + "faults: [{after: 1 s, client: killed, link: cut}]",
            "'client' cannot be combined with 'link' in a link fault"
        ),
        (steps + "faults: [{client: killed}]", "a link fault needs the key 'after'"),
    ])
    func saysWhatIsWrong(text: String, message: String) throws {
        let found = try problems(inScenario: (Self.base + text).utf8)
        #expect(found.contains { "\($0)".contains(message) }, "\(found)")
    }

    @Test(arguments: ["manifest: fetched", "omitted: [a]", "tls: {fault: expired}"])
    func errorPathKeysAreOnlyForTheBuiltInHost(key: String) throws {
        let text = "scenario: Test\nhost: https://a.example/\nlink: 3g\n" + Self.steps + key
        let found = try problems(inScenario: text.utf8)
        #expect(found.contains { "\($0)".contains("is for the manifest") || "\($0)".contains("is for the built-in") })
    }
}
