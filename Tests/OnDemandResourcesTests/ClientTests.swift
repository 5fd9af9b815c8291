import Foundation
import Glibc
import PackFormat
import ResourceLoading
import SystemPackage
import Testing

/// headwind-client as a process: what it writes, how it ends, and what a kill leaves.
@Suite(.timeLimit(.minutes(1)))
struct ClientTests {
    let pack = TestPack(name: "p", body: content(300_000), tags: ["t"])

    /// A host that stalls in the middle of the first response.
    private let stallsOnce: Fixture.Script = { request, pack in
        guard let pack, request.number == 1 else { return nil }
        return [Right.whole(pack.body)[0], .send(Array(pack.body[..<200_000])), .stall]
    }

    @Test func reportsAWholeRequest() async throws {
        try await Fixture.run([pack]) { fixture in
            let result = try await ClientProcess(fixture.configuration, ["t"]).finish()
            #expect(result.status == 0, "\(result.errors)")
            let names = result.names
            #expect(names.first == "start" && names.last == "exit")
            let order = ["request", "fetch", "response", "verified", "stored", "available", "ended", "exit"]
            let packEvents = names.filter { order.contains($0) }
            // The manifest and the tag table are fetched before the pack.
            #expect(packEvents.filter { $0 == "fetch" }.count == 3)
            #expect(Array(packEvents.suffix(5)) == ["verified", "stored", "available", "ended", "exit"])
            let times = result.events.compactMap(\.time)
            #expect(times.count == result.events.count && times == times.sorted())
            #expect(result.events.allSatisfy { $0.version == 1 })
            #expect(result.events.last?.number("status") == 0)
            #expect(fixture.stored(pack) == pack.body)
        }
    }

    @Test func aKillInMidDownloadLosesNothingThatArrived() async throws {
        try await Fixture.run([pack], script: stallsOnce) { fixture in
            let first = try ClientProcess(fixture.configuration, ["t"])
            #expect(await first.reaches("progress", "completed", 200_000))
            first.signal(SIGKILL)
            #expect(await first.finish().bySignal)
            #expect(fixture.stored(pack) == nil)
            #expect(try DeviceReport(fixture.configuration.store).entries.map(\.state) == [.partiallyDownloaded])

            let second = try await ClientProcess(fixture.configuration, ["t"]).finish()
            #expect(second.status == 0)
            #expect(fixture.server.requests(for: pack.target).map(\.from) == [nil, 200_000])
            #expect(fixture.stored(pack) == pack.body)
            // Bytes that are stored already count from the beginning.
            let progress = second.first("progress")
            #expect(progress?.number("completed") == 200_000)
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalCancelsAndAllEventsAreWritten(signal: Int32) async throws {
        let status = 128 + signal
        try await Fixture.run([pack], script: stallsOnce) { fixture in
            let client = try ClientProcess(fixture.configuration, ["t"])
            #expect(await client.reaches("progress", "completed", 200_000))
            // Twice, as timeout(1) does it: to the process, and to its group.
            client.signal(signal)
            client.signal(signal)
            let result = await client.finish()
            #expect(result.status == status && !result.bySignal)
            let error = result.first("error")
            #expect(error?.number("code") == 3072)
            #expect(result.names.last == "exit")
            #expect(result.events.last?.number("status") == Int(status))
            #expect(try DeviceReport(fixture.configuration.store).entries.map(\.state) == [.partiallyDownloaded])
        }
    }

    @Test func anErrorIsNoCrash() async throws {
        try await Fixture.run([pack]) { fixture in
            let result = try await ClientProcess(fixture.configuration, ["nope"]).finish()
            #expect(result.status == 1)
            let error = try #require(result.first("error"))
            #expect(error.text("domain") == "NSCocoaErrorDomain")
            #expect(error.number("code") == 4994)
            #expect(error.text("class") == "unexpected")
        }
    }

    @Test func runsAWorkload() async throws {
        try await Fixture.run([pack], script: stallsOnce) { fixture in
            let file = fixture.folder.appending("workload.json").string
            let json = """
                {"steps": [
                  {"request": {"id": "a", "tags": ["t"], "priority": "urgent"}, "background": true},
                  {"cancel": "a", "at": 0.6}, {"wait": "a"}, {"end": "a"},
                  {"request": {"id": "b", "tags": ["t"]}}, {"end": "b"}
                ]}
                """
            try Data(json.utf8).write(to: URL(fileURLWithPath: file))
            let result = try await ClientProcess(fixture.configuration, ["--workload", file]).finish()
            // One request ended in an error; a reader of the events decides whether that was intended.
            #expect(result.status == 1)
            let ends = result.events.filter { ["error", "available"].contains($0.name) }
            #expect(ends.map { $0.text("id") } == ["a", "b"])
            #expect(ends.map(\.name) == ["error", "available"])
            #expect(fixture.stored(pack) == pack.body)
            // The host stalls at two thirds; the workload cancels at three fifths.
            let cancelled = result.events.prefix { $0.name != "error" }.last { $0.name == "progress" }
            #expect(try #require(cancelled?.number("completed")) >= 180_000)
        }
    }

    @Test func aLimitMayBeChanged() async throws {
        try await Fixture.run([pack]) { fixture in
            let arguments = ["t", "--limits", "ios-18", "--limit", "in-use=299999"]
            let result = try await ClientProcess(fixture.configuration, arguments).finish()
            #expect(result.first("error")?.number("code") == 4993)
            let exactly = ["t", "--limit", "in-use=300000", "--limit", "pack=none"]
            let allowed = try await ClientProcess(fixture.configuration, exactly).finish()
            #expect(allowed.status == 0)
        }
    }

    @Test func anAppMayBringItsManifestAlong() async throws {
        try await Fixture.run([pack]) { fixture in
            let (manifest, table) = (fixture.folder.appending("m.plist"), fixture.folder.appending("t.plist"))
            var contents = Fixture.manifest([pack])
            contents.resources[0].url = fixture.server.url(pack.target)
            try Data(contents.plist()).write(to: URL(fileURLWithPath: manifest.string))
            try Data(Fixture.tagTable([pack]).plist()).write(to: URL(fileURLWithPath: table.string))
            var configuration = fixture.configuration
            configuration.manifest = manifest.string
            let result = try await ClientProcess(configuration, ["t", "--tag-table", table.string]).finish()
            #expect(result.status == 0, "\(result.errors)")
            #expect(fixture.stored(pack) == pack.body)
            #expect(fixture.server.requests.map(\.target) == [pack.target])
            // Without its tag table, the manifest is no catalog.
            let alone = try await ClientProcess(configuration, ["t"]).finish()
            #expect(alone.first("error")?.number("code") == 4994)
        }
    }

    @Test(arguments: [
        [], ["t", "--workload", "/dev/null"], ["t", "--limits", "ios-1"], ["t", "--limit", "in-use"],
        ["t", "--limit", "in-use=many"], ["t", "--limit", "in-us=1"], ["t", "--patience", "0"],
        ["t", "--radio", "5g"], ["t", "--header", "no colon"], ["t", "--events-fd", "77"],
        ["t", "--header-env", "HEADWIND_NO_SUCH_VARIABLE"], ["--workload", "/nonexistent"],
    ])
    func senselessArgumentsAreAUsageError(arguments: [String]) async throws {
        try await withTemporaryFolder { folder in
            let configuration = LoaderConfiguration(manifest: "http://127.0.0.1:1/m", store: folder.appending("s"))
            let result = try await ClientProcess(configuration, arguments).finish()
            #expect(result.status == 64)
            #expect(!result.errors.isEmpty)
        }
    }

    @Test func lostEventsAreReported() async throws {
        try await Fixture.run([pack]) { fixture in
            // /dev/full accepts no byte: the requests run on, and the exit status says that events were lost.
            let arguments = ["t", "--events-fd", "3"]
            let client = try ClientProcess(
                fixture.configuration, arguments, wrapper: ["sh", "-c", "exec \"$0\" \"$@\" 3> /dev/full"])
            let result = await client.finish()
            #expect(result.status == 70)
            #expect(result.errors.contains("Lost events"))
            #expect(fixture.stored(pack) == pack.body)
        }
    }

    @Test func theEnvironmentsProxyIsIgnored() async throws {
        try await Fixture.run([pack]) { fixture in
            let nobody = ["http_proxy": "http://127.0.0.1:1", "ALL_PROXY": "http://127.0.0.1:1"]
            let client = try ClientProcess(fixture.configuration, ["t"], environment: nobody)
            #expect(await client.finish().status == 0)
        }
    }

    @Test func secretsStayOutOfTheEvents() async throws {
        try await Fixture.run([pack]) { fixture in
            var configuration = fixture.configuration
            configuration.manifest += "?token=secret"
            let arguments = [
                "t", "--header", "X-A: secret", "--header-env", "H", "--tag-table",
                fixture.server.url("/OnDemandResources.plist"),
            ]
            let client = try ClientProcess(configuration, arguments, environment: ["H": "X-B: secret"])
            let result = await client.finish()
            let asked = try #require(fixture.server.requests(for: "/AssetPackManifest.plist?token=secret").first)
            #expect(asked.fields["x-a"] == "secret" && asked.fields["x-b"] == "secret")
            #expect(!result.events.contains { $0.line.contains("secret") })
        }
    }

    @Test(
        .needsRoot,
        arguments: ["http://host.invalid/m", "http://192.0.2.1/m"])
    func withoutAnInterfaceThereIsNoNetwork(manifest: String) async throws {
        try await withTemporaryFolder { folder in
            let configuration = LoaderConfiguration(manifest: manifest, store: folder.appending("s"))
            let result = try await ClientProcess(configuration, ["t"], wrapper: ["unshare", "-n"]).finish()
            #expect(result.first("error")?.number("code") == -1009)
        }
    }

    @Test(.needsRoot)
    func aFullFileSystemIsOutOfSpace() async throws {
        let big = TestPack(name: "big", body: content(900_000), tags: ["t"])
        let small = TestPack(name: "small", body: content(300_000), tags: ["s"])
        try await Fixture.run([big, small]) { fixture in
            // A file system of 1 MB in its own mount namespace, which ends with the client.
            let store = fixture.folder.appending("disk")
            try FileManager.default.createDirectory(atPath: store.string, withIntermediateDirectories: true)
            var configuration = fixture.configuration
            configuration.store = store.appending("store")
            let script = """
                mount -t tmpfs -o size=1m none '\(store)' && exec "$0" "$@"
                """
            let file = fixture.folder.appending("workload.json").string
            let json = """
                {"steps": [
                  {"request": {"id": "small", "tags": ["s"]}},
                  {"request": {"id": "refused", "tags": ["t"]}}, {"end": "refused"}, {"end": "small"},
                  {"request": {"id": "granted", "tags": ["t"]}}, {"end": "granted"}
                ]}
                """
            try Data(json.utf8).write(to: URL(fileURLWithPath: file))
            let wrapper = ["unshare", "-m", "sh", "-c", script]
            let result = try await ClientProcess(configuration, ["--workload", file], wrapper: wrapper).finish()
            let error = try #require(result.first("error"), "\(result)")
            #expect(error.text("id") == "refused")
            #expect(error.number("code") == 4992)
            #expect(error.text("class") == "storage")
            let names = result.names
            #expect(names.contains("notification"))
            // Once the small pack is released, the device purges it for the big one.
            #expect(names.contains("purged"))
            let last = result.events.last { $0.name == "available" }
            #expect(last?.text("id") == "granted")
        }
    }
}
