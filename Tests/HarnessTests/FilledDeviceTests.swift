import PackFormat
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// The device that a fault fills: its size, and who fills it.
struct FilledDeviceTests {
    struct Case: Sendable {
        var text: String
        /// The size of the file system; nil: there is none.
        var size: Int64?
        /// Whether a hunt fills the device.
        var canBeFilled = true
    }

    private static let command = "workload: {command: 'curl -o {output} {url}', pack: level.bin}\n"
    private static let full = "faults: [{after: 50 % of level.bin, device: full}]\n"

    @Test(arguments: [
        Case(text: command),
        Case(text: command + full, size: 8_000_000),
        Case(text: full, size: 8_000_000),
        Case(text: command.replacing("level", with: "small") + full.replacing("level", with: "small"), size: 4_000_000),
        Case(text: command + full + "device: {storage: 9 MB}", size: 9_000_000),
        Case(text: command + "device: {storage: 7 MB}", size: 7_000_000, canBeFilled: false),
        Case(text: command + "device: {storage: 65 MB}", size: 65_000_000, canBeFilled: false),
        Case(text: command + "expect: {exit: 0, oracle: 'true'}", canBeFilled: false),
        Case(
            text: "workload: {command: 'curl -o a {url}', pack: level.bin, directory: /tmp}\nexpect: {exit: 0}",
            canBeFilled: false),
        Case(text: "network: machine\nworkload: {command: 'true'}\n", canBeFilled: false),
        Case(
            text: "network: machine\nworkload: {command: 'true'}\nfaults: [{after: 1 s, device: full}]",
            size: 16_000_000, canBeFilled: false),
    ])
    func hasRoomForThePacks(_ row: Case) throws {
        let bench = try Bench(packs: ["level.bin": 2_000_000, "small.bin": 1000])
        let cell = try #require(try bench.prepare(row.text).scenarios.first?.cells.first)
        let contents = ContentStore(scratch: bench.folder.appending("contents"))
        #expect(cell.storageSize(try contents.prepare(cell)) == row.size)
        #expect(cell.canBeFilled([2_000_000]) == row.canBeFilled)
    }

    @Test func anErrorIsReportedUnlessTheAttemptIsOver() throws {
        let filler = DeviceFiller(nil)
        try filler.verify()
        filler.fill()
        #expect(throws: HarnessError.deviceNotFilled(.notSupported)) { try filler.verify() }
        let closed = DeviceFiller(nil)
        closed.close()
        closed.fill()
        try closed.verify()
    }
}
