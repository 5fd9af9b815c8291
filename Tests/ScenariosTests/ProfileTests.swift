import LinkModel
import Scenarios
import SystemPackage
import Testing

/// The keys of profiles, and the problems of wrong ones.
@Suite struct ProfileTests {
    private static let head = "profile: x\nsource: s\n"

    static let refused = [
        Case(
            "nothing needed", "title: t\n", "1:1 a profile needs the key 'profile': a profile's name",
            "1:1 a profile needs the key 'source': text"),
        Case(
            "misspelt key", head + "downlnk: {rate: 1 kbit/s}\n",
            "3:1 there is no key 'downlnk' in a profile | did you mean 'downlink'?"),
        Case(
            "misspelt needed key", "profle: x\nsource: s\n",
            "1:1 there is no key 'profle' in a profile | did you mean 'profile'?"),
        Case(
            "misspelt inner key", head + "downlink:\n  rte: 1 kbit/s\n",
            "4:3 there is no key 'rte' in a downlink | did you mean 'rate'?"),
        Case(
            "name", "profile: My Net\nsource: s\n",
            "1:10 'My Net' is not a profile's name | use up to 64 of a-z, 0-9, '-' and '.', no punctuation first"),
        Case(
            "rate without unit", head + "downlink: {rate: 780}\n",
            "3:18 '780' is not a rate such as 780 kbit/s, or unlimited | it has no unit; write 780 kbit/s or Mbit/s"),
        Case(
            "rate in bytes", head + "downlink: {rate: 1 MB/s}\n",
            "3:18 '1 MB/s' is not a rate such as 780 kbit/s, or unlimited | rates are bits per second; multiply by 8 and write kbit/s or Mbit/s"
        ),
        Case(
            "rate of 0", head + "uplink: {rate: 0 kbit/s}\n",
            "3:16 '0 kbit/s' is not a rate such as 780 kbit/s, or unlimited | for a link that delivers nothing, write 'offline: silent'"
        ),
        Case(
            "delay of a rate", head + "uplink: {delay: 3 kbit/s}\n",
            "3:17 '3 kbit/s' is not a duration such as 100 ms or 1.5 s | 'kbit/s' is not a unit of time; write ns, us, ms, s, min or h"
        ),
        Case("delay too long", head + "rtt: 2 h\n", "3:6 '2 h' is out of range: the most is 1 h"),
        Case(
            "delay that is a list", head + "rtt: [1 ms]\n",
            "3:6 found a list, expected a duration such as 100 ms or 1.5 s"),
        Case(
            "rtt and delay", head + "rtt: 75 ms\nuplink: {delay: 1 ms}\n",
            "4:10 'delay' and 'rtt' both set the delay | give one-way delays, or one rtt to split in two"),
        Case(
            "loss without unit", head + "uplink: {loss: 0.01}\n",
            "3:16 '0.01' is not a share such as 1 % | it has no unit; write 0.01 %"),
        Case(
            "loss beyond all", head + "uplink: {loss: 101 %}\n",
            "3:16 '101 %' is not a share such as 1 % | the most is 100 %"),
        Case(
            "burst that never ends", head + "uplink: {loss: {good-to-bad: 1 %, bad-to-good: 0 %}}\n",
            "3:48 '0 %' is out of range: the least is 0.0000001 %"),
        Case(
            "half a burst", head + "uplink: {loss: {good-to-bad: 1 %}}\n",
            "3:17 a burst loss needs the key 'bad-to-good': a share such as 1 %"),
        Case(
            "jitter beyond delay", head + "uplink: {delay: 5 ms, jitter: 6 ms}\n",
            "3:1 the jitter of the uplink, 6 ms, exceeds its delay, 5 ms | a packet cannot arrive before it was sent"),
        Case(
            "jitter's shape", head + "rtt: 10 ms\nuplink: {jitter: {amount: 1 ms, distribution: gauss}}\n",
            "4:47 'gauss' is not a distribution: uniform, normal | write one of uniform, normal"),
        Case(
            "queue for half a packet", head + "uplink: {queue: 700 B}\n",
            "3:1 the queue of the uplink has no room for one packet of 1500 bytes | give it 1500 B or more"),
        Case(
            "queue of no packets", head + "uplink: {queue: 0 packets}\n",
            "3:17 '0 packets' is not a queue such as 64 KiB or 50 packets, or default | a queue holds 1 to 1000000 packets"
        ),
        Case(
            "offline how", head + "offline: true\n",
            "3:10 'true' is not an offline state: no-route, silent, refused, no-name | write one of no-route, silent, refused, no-name"
        ),
        Case(
            "offline misspelt", head + "offline: slient\n",
            "3:10 'slient' is not an offline state: no-route, silent, refused, no-name | did you mean 'silent'?"),
        Case(
            "changes out of order", head + "changes: [{at: 2 s, offline: silent}, {at: 1 s, online: true}]\n",
            "3:39 a change at 1 s follows one at 2 s | sort the changes by time"),
        Case(
            "change without time", head + "changes:\n  - {offline: silent}\n",
            "4:6 a change needs the key 'at': a duration such as 100 ms or 1.5 s"),
        Case(
            "change in both ways", head + "changes: [{at: 1 s, offline: silent, online: true}]\n",
            "3:38 a link cannot be online and offline at once | keep one of them"),
        Case(
            "change to what", head + "changes: [{at: 1 s, rate: 1 kbit/s}]\n",
            "3:21 there is no key 'rate' in a change | its keys are at, downlink, uplink, rtt, dns-delay, mtu, offline, online, held"
        ),
        Case(
            "repeat before the change", head + "changes: [{at: 9 s, offline: silent}]\nrepeat: 5 s\n",
            "4:1 the change at 9 s never happens, because the profile repeats every 5 s"),
        Case("repeat of nothing", head + "repeat: 5 s\n", "3:1 there are no changes to repeat | add 'changes'"),
        Case(
            "stall without end", head + "stall: {every: 1 s, for: 1 s}\n",
            "3:21 a stall of 1 s must be shorter than its period of 1 s"),
        Case(
            "trace elsewhere", head + "trace: {uplink: ../up.trace}\n",
            "3:17 the trace '../up.trace' is outside the folder of this file | copy it there and name it by its relative path"
        ),
        Case("trace nowhere", head + "trace: {uplink: no.trace}\n", "3:17 the trace '"),
        Case(
            "trace in disorder", head + "trace: {uplink: bad.trace}\n",
            "3:1 3 ms comes after 5 ms; times must not decrease"),
        Case(
            "trace and rate", head + "trace: {uplink: traces/up.trace}\nuplink: {rate: 1 kbit/s}\n",
            "4:16 the trace of the uplink replaces this rate | keep one of them"),
        Case("extends nothing", head + "extends: 3gg\n", "3:10 there is no profile '3gg' | did you mean '3g'?"),
        Case(
            "extends itself", head + "extends: ./test.yaml\n",
            "3:10 the profile './test.yaml' extends itself, directly or through others"),
        Case("extends no file", head + "extends: ./other.yaml\n", "3:10 there is no file '"),
        Case(
            "later version", head + "version: 2\n",
            "3:1 this Headwind reads version 1 of profiles | use a later Headwind"),
    ]

    @Test(arguments: refused) func refusesWithPlaceAndHint(_ example: Case) throws {
        let found = try problems(inProfile: example.text.utf8)
        #expect(found.count == example.problems.count, "\(found)")
        for (problem, expected) in zip(found, example.problems) { #expect(problem.hasPrefix(expected)) }
    }

    @Test func readsEveryKey() throws {
        let text = """
            profile: train
            title: Train
            summary: A train in a tunnel.
            source: Measured on a train.
            version: 1
            downlink: {rate: 4 Mbit/s, delay: 40 ms, jitter: {amount: 5 ms, distribution: normal}, loss: 1 %,
                       duplicate: 0.1 %, reorder: 0.2 %, corrupt: 0.3 %, queue: 64 KiB}
            uplink: {delay: 30 ms, loss: {good-to-bad: 1 %, bad-to-good: 25 %, loss-in-bad: 80 %, loss-in-good: 0.5 %},
                     queue: 50 packets}
            dns-delay: 20 ms
            mtu: 1400
            changes:
              - {at: 10 s, offline: silent}
              - {at: 15 s, online: true}
              - {at: 20 s, downlink: {rate: 100 kbit/s}, rtt: 500 ms}
            repeat: 30 s
            stall: {every: 18 s, for: 900 ms}
            trace: {uplink: traces/up.trace}
            """
        let profile = try profile(text.utf8)
        let down = profile.conditions.downlink
        #expect(profile.name == "train" && profile.title == "Train")
        #expect(down.rate == BitRate(bitsPerSecond: 4_000_000) && down.delay == .milliseconds(40))
        #expect(down.jitter == Jitter(amount: .milliseconds(5), distribution: .normal))
        #expect(down.loss == .random(Ratio(partsPerBillion: 10_000_000)))
        #expect(
            [down.duplicate, down.reorder, down.corrupt].map(\.partsPerBillion) == [1_000_000, 2_000_000, 3_000_000])
        #expect(down.queue == .bytes(ByteCount(65_536)))
        #expect(profile.conditions.uplink.queue == .packets(50) && profile.conditions.uplink.rate == nil)
        let bursts = GilbertElliott(
            goodToBad: Ratio(partsPerBillion: 10_000_000), badToGood: Ratio(partsPerBillion: 250_000_000),
            lossInBad: Ratio(partsPerBillion: 800_000_000), lossInGood: Ratio(partsPerBillion: 5_000_000))
        #expect(profile.conditions.uplink.loss == .gilbertElliott(bursts))
        #expect(profile.conditions.dnsDelay == .milliseconds(20) && profile.conditions.mtu == 1400)
        #expect(profile.conditions(at: .seconds(12)).offline == .silent)
        #expect(profile.conditions(at: .seconds(16)) == profile.conditions)
        #expect(profile.conditions(at: .seconds(21)).rtt == .milliseconds(500))
        #expect(profile.conditions(at: .seconds(21)).downlink.loss == down.loss)
        #expect(profile.repeatsEvery == .seconds(30))
        #expect(profile.stall == Profile.PeriodicStall(period: .seconds(18), length: .milliseconds(900)))
        #expect(profile.uplinkTrace?.milliseconds == [1, 2, 3] && profile.downlinkTrace == nil)
    }

    @Test(arguments: [
        ("75 ms", 38_000_000, 37_000_000), ("150 ms", 75_000_000, 75_000_000), ("1 ms", 1_000_000, 0),
        ("1.5 ms", 750_000, 750_000), ("3 ns", 2, 1), ("0 s", 0, 0),
    ])
    func oddMillisecondGoesDown(rtt: String, down: Int64, up: Int64) throws {
        let conditions = try profile((Self.head + "rtt: \(rtt)\n").utf8).conditions
        #expect(conditions.downlink.delay.nanoseconds == down && conditions.uplink.delay.nanoseconds == up)
    }

    @Test func aVariantKeepsValuesItDoesNotSet() throws {
        let variant = try profile((Self.head + "extends: flaky-lte\ndownlink: {rate: unlimited, loss: 0 %}\n").utf8)
        let base = try Repository.profiles.profile(named: "flaky-lte")
        #expect(variant.conditions.downlink.rate == nil && variant.conditions.downlink.loss == nil)
        #expect(variant.conditions.downlink.jitter == base.conditions.downlink.jitter)
        #expect(variant.conditions.uplink == base.conditions.uplink && variant.stall == base.stall)
        #expect(variant.source == "s")
    }

    @Test func changesOfTheExtendedApplyToTheVariant() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "base.yaml", Self.head + "uplink: {delay: 9 ms}\nchanges: [{at: 1 s, downlink: {delay: 50 ms}}]\n")
        let file = try folder.write("variant.yaml", Self.head + "extends: ./base.yaml\nuplink: {delay: 3 ms}\n")
        let profile = try Repository.profiles.profile(file: file)
        #expect(profile.conditions(at: .seconds(2)).downlink.delay == .milliseconds(50))
        #expect(profile.conditions(at: .seconds(2)).uplink.delay == .milliseconds(3))
    }

    @Test(arguments: [
        (2, "the profile './1.yaml' extends itself, directly or through others"),
        (9, "more than 8 profiles extend one another in a row"),
    ])
    func chainOfFilesEnds(count: Int, message: String) throws {
        let folder = try TemporaryFolder()
        var file: FilePath = ""
        for number in (1...count).reversed() {
            let next = number < count ? number + 1 : 1
            file = try folder.write("\(number).yaml", Self.head + "extends: ./\(next).yaml\n")
        }
        let error = #expect(throws: InvalidFiles.self) { try Repository.profiles.profile(file: file) }
        #expect(error?.diagnostics.first?.message == message)
    }

    @Test func unknownNameNamesTheNearest() throws {
        let error = #expect(throws: InvalidFiles.self) { try Repository.profiles.profile(named: "3g-fast") }
        #expect(error?.description.hasPrefix("there is no profile '3g-fast'; ") == true)
        let near = #expect(throws: InvalidFiles.self) { try Repository.profiles.profile(named: "lossyy") }
        #expect(near?.description == "there is no profile 'lossyy'; did you mean 'lossy'?")
    }

    @Test func namesDoNotLeadOutOfTheFolder() throws {
        #expect(throws: InvalidFiles.self) { try Repository.profiles.profile(named: "../profiles/3g") }
    }

    @Test func aPathThatIsNoFileIsRefused() throws {
        let folder = try TemporaryFolder()
        for path in [folder.path, folder.path.appending("none.yaml"), "/dev/zero", "/proc/self/mem"] as [FilePath] {
            let error = #expect(throws: InvalidFiles.self) { try Repository.profiles.profile(file: path) }
            #expect(error?.diagnostics.first?.message.hasPrefix("the file ") == true)
        }
    }

    @Test func findsFolderByShareAndByExecutable() throws {
        let folder = try TemporaryFolder()
        try folder.write("repository/profiles/x.yaml", "")
        try folder.write("repository/.build/release/headwind", "")
        try folder.write("usr/share/headwind/profiles/x.yaml", "")
        let build = folder.path.appending("repository/.build/release/headwind")
        let installed = folder.path.appending("usr/bin/headwind")
        #expect(
            BundledFiles.folder("profiles", executable: build, share: nil)
                == folder.path.appending("repository/profiles"))
        #expect(
            BundledFiles.folder("profiles", executable: installed, share: "")
                == folder.path.appending("usr/share/headwind/profiles"))
        #expect(BundledFiles.folder("profiles", executable: build, share: folder.path.appending("usr").string) == nil)
    }
}
