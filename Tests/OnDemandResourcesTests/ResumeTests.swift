import PackFormat
import ResourceLoading
import SystemPackage
import Testing

/// Interrupted bodies, and how hosts answer requests for the rest.
@Suite(.timeLimit(.minutes(1)))
struct ResumeTests {
    let pack = TestPack(name: "p", body: content(300_000), tags: ["t"])

    enum Cut: CaseIterable { case close, reset }

    @Test(arguments: Cut.allCases)
    func aCutBodyIsResumedAndOnlyTheRestIsFetched(cut: Cut) async throws {
        try await Fixture.run([pack]) { request, pack in
            guard let pack, request.number == 1 else { return nil }
            let head = ScriptedServer.Step.head(200, "Content-Length: \(pack.body.count)", "ETag: \(Right.etag)")
            // A reset may overtake bytes in flight; the client says how many it has, so that does not matter.
            return [head, .send(Array(pack.body[..<100_000])), cut == .close ? .close : .reset]
        } _: { fixture in
            try await fixture.expect(nil)
            #expect(fixture.stored(pack) == pack.body)
            let requests = fixture.server.requests(for: pack.target)
            #expect(requests.count == 2)
            #expect(requests[1].fields["if-range"] == Right.etag)
            let from = try #require(requests[1].from)
            #expect(from > 0 && from <= 100_000)
            #expect(fixture.log.fetches(of: "p") == [0, Int64(from)])
            if cut == .close { #expect(from == 100_000) }
            let received = fixture.log.all(.received).filter { $0.pack == "p" }.map(\.bytes)
            #expect(received == [Int64(from), Int64(pack.body.count - from)])
        }
    }

    @Test func aDateIsAValidatorWhereThereIsNoETag() async throws {
        let date = "Sat, 21 Nov 2026 00:00:00 GMT"
        try await Fixture.run([pack]) { request, pack in
            guard let pack else { return nil }
            let count = pack.body.count
            if let from = request.from {
                let range = "Content-Range: bytes \(from)-\(count - 1)/\(count)"
                return [.head(206, "Content-Length: \(count - from)", range), .send(Array(pack.body[from...]))]
            }
            let head = ScriptedServer.Step.head(
                200, "Content-Length: \(count)", "ETag: W/\"weak\"", "Last-Modified: \(date)")
            return [head, .send(Array(pack.body[..<5000])), .close]
        } _: { fixture in
            try await fixture.expect(nil)
            #expect(fixture.server.requests(for: pack.target).last?.fields["if-range"] == date)
            #expect(fixture.stored(pack) == pack.body)
        }
    }

    @Test func aDownloadRestartsIfTheHostIgnoresRanges() async throws {
        try await Fixture.run([pack]) { request, pack in
            guard let pack else { return nil }
            let head = ScriptedServer.Step.head(200, "Content-Length: \(pack.body.count)", "ETag: \(Right.etag)")
            return request.number == 1 ? [head, .send(Array(pack.body[..<70_000])), .close] : [head, .send(pack.body)]
        } _: { fixture in
            try await fixture.expect(nil)
            #expect(fixture.stored(pack) == pack.body)
            #expect(fixture.server.requests(for: pack.target).map(\.from) == [nil, 70_000])
        }
    }

    @Test func aChangedETagRestartsTheDownload() async throws {
        // The manifest has no digest: only If-Range keeps two editions from being mixed.
        let pack = TestPack(name: "p", body: content(200_000), tags: ["t"], hasDigest: false)
        let other = content(200_000, seed: 2)
        try await Fixture.run([pack]) { request, pack in
            guard let pack else { return nil }
            if request.number > 1 { return Right.answer(request, other, etag: "\"v2\"") }
            return [Right.whole(pack.body)[0], .send(Array(pack.body[..<50_000])), .close]
        } _: { fixture in
            try await fixture.expect(nil)
            #expect(fixture.stored(pack) == other)
        }
    }

    /// Neither ETag nor date nor digest: the rest of another edition would be joined to the first bytes.
    @Test func aDownloadThatNothingIdentifiesRestarts() async throws {
        let pack = TestPack(name: "p", body: content(200_000), tags: ["t"], hasDigest: false)
        let other = content(200_000, seed: 2)
        try await Fixture.run([pack]) { request, pack in
            guard let pack else { return nil }
            let count = other.count
            if let from = request.from {
                let range = "Content-Range: bytes \(from)-\(count - 1)/\(count)"
                return [.head(206, "Content-Length: \(count - from)", range), .send(Array(other[from...]))]
            }
            let head = ScriptedServer.Step.head(200, "Content-Length: \(count)")
            return request.number == 1 ? [head, .send(Array(pack.body[..<50_000])), .close] : [head, .send(other)]
        } _: { fixture in
            try await fixture.expect(nil)
            #expect(fixture.log.fetches(of: "p") == [0, 0])
            #expect(fixture.stored(pack) == other)
        }
    }

    /// Bytes that arrive again are no gain, so that a host that always cuts is not asked without end.
    @Test func aDownloadThatNothingIdentifiesEndsIfItIsAlwaysCut() async throws {
        let pack = TestPack(name: "p", body: content(200_000), tags: ["t"], hasDigest: false)
        try await Fixture.run([pack]) {
            $0.transfers.patience = .seconds(1)
        } script: { _, pack in
            pack.map {
                [.head(200, "Content-Length: \($0.body.count)"), .send(Array($0.body[..<50_000])), .close]
            }
        } _: { fixture in
            let error = try await fixture.request("t")
            #expect(error != nil)
            let fetches = fixture.log.fetches(of: "p")
            #expect(fetches.count > 1 && fetches.allSatisfy { $0 == 0 }, "\(fetches)")
        }
    }

    @Test func aPartOfAChangedFileIsRefused() async throws {
        // A violation of HTTP: a 206 with another ETag than If-Range named.
        try await Fixture.run([pack]) { request, pack in
            guard let pack else { return nil }
            if request.number == 1 { return [Right.whole(pack.body, etag: "\"old\"")[0], .send([1, 2, 3]), .close] }
            guard let from = request.from else { return nil }
            return [Right.partHead(from, pack.body.count), .send(Array(pack.body[from...]))]
        } _: { fixture in
            try await fixture.expect(nil)
            #expect(fixture.stored(pack) == pack.body)
            #expect(fixture.log.fetches(of: "p") == [0, 3, 0])
        }
    }

    @Test func anUnsatisfiableRangeCompletesADownloadOfAllBytes() async throws {
        // The first response states neither length nor end: only the 416 shows that all bytes have arrived.
        let pack = TestPack(name: "p", body: content(5000), tags: ["t"])
        try await Fixture.run([pack]) { request, pack in
            guard let pack, request.number == 1 else { return nil }
            let chunk = "\(String(pack.body.count, radix: 16))\r\n"
            return [
                .head(200, "Transfer-Encoding: chunked", "ETag: \(Right.etag)"), .text(chunk), .send(pack.body),
                .reset,
            ]
        } _: { fixture in
            try await fixture.expect(nil)
            #expect(fixture.stored(pack) == pack.body)
        }
    }

    @Test func anUnsatisfiableRangeRestartsAPartialDownload() async throws {
        try await Fixture.run([pack]) { request, pack in
            guard let pack else { return nil }
            if request.from != nil { return [.head(416, "Content-Range: bytes */7", "Content-Length: 0")] }
            return request.number == 1 ? [Right.whole(pack.body)[0], .send([1, 2, 3]), .close] : nil
        } _: { fixture in
            try await fixture.expect(nil)
            #expect(fixture.log.fetches(of: "p") == [0, 3, 0])
        }
    }

    @Test func aPartialDownloadOutlivesItsLoader() async throws {
        try await Fixture.run([pack]) { request, pack in
            guard let pack, request.number == 1 else { return nil }
            return [Right.whole(pack.body)[0], .send(Array(pack.body[..<120_000])), .stall]
        } _: { fixture in
            try await fixture.withLoader { loader in
                async let arrived: Void = fixture.log.next {
                    $0.kind == .progress && $0.completed == 120_000
                }
                async let outcome = loader.request(["t"])
                await arrived
                // Closing cancels the request and keeps what has arrived.
                await loader.close()
                #expect(await outcome.1?.code == 3072)
            }
            try await fixture.expect(nil)
            #expect(fixture.server.requests(for: pack.target).map(\.from) == [nil, 120_000])
            #expect(fixture.stored(pack) == pack.body)
        }
    }

    @Test func aPartialDownloadOfAnotherEditionIsThrownAway() async throws {
        try await Fixture.run([pack]) { request, pack in
            guard let pack, request.number == 1 else { return nil }
            return [Right.whole(pack.body)[0], .send(Array(pack.body[..<1000])), .stall]
        } _: { fixture in
            try await fixture.withLoader { loader in
                async let arrived: Void = fixture.log.next {
                    $0.kind == .progress && $0.completed == 1000
                }
                async let outcome = loader.request(["t"])
                await arrived
                await loader.close()
                _ = await outcome
            }
            var edition = pack
            edition.body = content(300_000, seed: 9)
            let script: ScriptedServer.Script = { [edition] request in
                switch request.target {
                case "/AssetPackManifest.plist": Right.whole((try? Fixture.manifest([edition]).plist()) ?? [])
                case "/OnDemandResources.plist": Right.whole((try? Fixture.tagTable([edition]).plist()) ?? [])
                default: Right.answer(request, edition.body)
                }
            }
            let server = try ScriptedServer(script)
            defer { server.stop() }
            var next = fixture.configuration
            next.manifest = server.url("/AssetPackManifest.plist")
            let loader = try ResourceLoader(next)
            #expect(await loader.request(["t"]).1 == nil)
            await loader.close()
            #expect(server.requests(for: pack.target).map(\.from) == [nil])
            #expect(fixture.stored(pack) == edition.body)
        }
    }
}
