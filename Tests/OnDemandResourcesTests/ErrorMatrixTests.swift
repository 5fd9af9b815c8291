import Foundation
import HostTLS
import PackFormat
import PackHost
import Synchronization
import SystemPackage
import Testing

@testable import ResourceLoading

/// The documentation's table of errors, row by row, on real sockets and files.
///
/// The tests check the callback's error, the other events, and what stays stored. They also check that an end is still
/// owed, and that the next request succeeds without the fault.
@Suite(.sideBySide, .timeLimit(.minutes(5)))
struct ErrorMatrixTests {
    /// One line of the table of errors.
    struct Row: Hashable {
        var text: String
        var domain: String
        var code: Int
        var people: String
    }

    static let rows: [Row] = {
        let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        let page =
            (try? String(contentsOfFile: root.appending("docs/reference/client.md").string, encoding: .utf8)) ?? ""
        guard let start = page.range(of: "\n## Errors\n") else { return [] }
        return page[start.upperBound...].prefix(while: { _ in true }).split(separator: "\n## ")[0].split(
            separator: "\n"
        )
        .compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, let code = Int(cells[2]) else { return nil }
            return Row(text: cells[0], domain: cells[1], code: code, people: cells[3])
        }
    }()

    private func row(_ text: String, _ code: Int) throws -> Row {
        let found = Self.rows.filter { $0.text.hasPrefix(text) && $0.code == code }
        try #require(found.count == 1, "the table has \(found.count) rows '\(text)…' with \(code)")
        return found[0]
    }

    /// The table exists, and every row has a case.
    @Test func eachLineOfTheTableHasACase() {
        let tried = ErrorCase.all.map { ($0.row, $0.code) } + TLSCase.all.map { ($0.row, $0.code) }
        #expect(Self.rows.count == 25)
        for row in Self.rows {
            #expect(tried.contains { row.text.hasPrefix($0.0) && row.code == $0.1 }, "\(row) has no case")
        }
    }

    /// Whether the fault is active.
    private final class Stage: Sendable {
        private let fault = Mutex(false)
        var isFaulty: Bool {
            get { fault.withLock { $0 } }
            set { fault.withLock { $0 = newValue } }
        }
    }

    @Test(arguments: ErrorCase.all)
    func aRequestFailsAsTheTableSays(_ world: ErrorCase) async throws {
        let stage = Stage()
        try await Fixture.run(ErrorCase.packs) {
            $0.transfers.patience = .seconds(2)
        } script: { request, pack in
            stage.isFaulty ? world.script(request, pack) : nil
        } _: { fixture in
            try await fixture.expect(nil, "kept")
            stage.isFaulty = true
            var faulty = fixture
            world.configure(&faulty.configuration)
            try await faulty.withLoader { loader in
                try world.spoil?(faulty.configuration.store)
                try await expectFailure(of: world, loader, fixture)
                guard !world.isOfDevice else { return }
                stage.isFaulty = false
                let (next, error) = await loader.request(["t"], id: "next")
                #expect(error == nil, "\(error?.description ?? "")")
                loader.end(next)
            }
            stage.isFaulty = false
            if world.isOfDevice {
                if world.spoil != nil {
                    try FileManager.default.removeItem(atPath: fixture.folder.appending("store/partial").string)
                }
                try await fixture.expect(nil)
            }
            for pack in ErrorCase.packs { #expect(fixture.stored(pack) == pack.body) }
            #expect(fixture.server.requests(for: ErrorCase.packs[0].target).count == 1, "what was stored stayed")
        }
    }

    private func expectFailure(of world: ErrorCase, _ loader: ResourceLoader, _ fixture: Fixture) async throws {
        let asked = fixture.server.requests.count
        let request = LoaderRequest(id: "r", tags: world.tags, loader: loader)
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        try request.conditionallyBegin { answer.yield($0) }
        #expect(await answers.first { _ in true } == false)
        #expect(fixture.server.requests.count == asked, "the conditional call never asks the host")

        let (errors, error) = AsyncStream.makeStream(of: ResourceError?.self)
        try request.begin { error.yield($0) }
        if let act = world.act {
            await fixture.log.next { $0.kind == .response && $0.pack == "p" }
            act(request)
        }
        let failure = try #require(await errors.first { _ in true } ?? nil)
        let row = try row(world.row, world.code)
        #expect(failure.code == world.code && failure.domain.rawValue == row.domain, "\(failure)")
        #expect(failure.kind.rawValue == row.people)
        if let below = world.underlying {
            #expect(failure.underlying.map { "\($0.domain) \($0.code)" } == below)
        }
        #expect(fixture.log.count(.error) { failure.tell(in: &$0, of: "r") } == 1)
        #expect(fixture.server.requests(for: ErrorCase.packs[1].target).isEmpty == world.isEarly)
        // Complete packs stay and are not in use; the failed pack is not stored.
        #expect(loader.store.storedPack("kept") != nil && loader.store.storedPack("p") == nil)
        #expect(loader.foldersInUse.isEmpty)
        // An end is still owed, exactly once.
        #expect(throws: RequestMisuse.begunTwice) { try request.begin { _ in } }
        #expect(throws: Never.self) { try request.end() }
        #expect(throws: RequestMisuse.endedTwice) { try request.end() }
        await loader.queue.drain()
        let notices = fixture.log.count(.notification) { $0.name = ResourceLoader.lowDiskSpaceNotification }
        #expect(notices == (world.code == 4992 ? 1 : 0))
    }

    /// A fault of TLS or a redirect behind it, and its row of the table.
    struct TLSCase: Sendable, CustomTestStringConvertible {
        var row: String
        var code: Int
        var fault: TLSFault?
        var redirect: String?
        var testDescription: String { "\(row): \(fault?.rawValue ?? "no fault")" }

        static let all = [
            Self(row: "TLS: no handshake", code: -1200, fault: .cutHandshake),
            Self(row: "TLS: expired", code: -1201, fault: .expired),
            Self(row: "TLS: wrong name", code: -1202, fault: .wrongName),
            Self(row: "TLS: unknown root", code: -1203, fault: .unknownAuthority),
            Self(row: "TLS: not yet valid", code: -1204, fault: .notYetValid),
            Self(row: "a redirect from https to http", code: -1022, redirect: "http://127.0.0.1:1/p.assetpack"),
        ]
    }

    @Test(arguments: TLSCase.all)
    func aSecureHostFailsAsTheTableSays(_ world: TLSCase) async throws {
        try await withTemporaryFolder { folder in
            var host = RealHost(folder: folder)
            try host.add(.init(name: "p", bytes: 50_000))
            let authority = RunAuthority()
            let trusted = folder.appending("ca.pem")
            try Data(authority.certificatePEM.utf8).write(to: URL(fileURLWithPath: trusted.string))
            let store = folder.appending("store")
            let row = try row(world.row, world.code)
            for isFaulty in [true, false] {
                let handlers = try authority.handlerFactory(names: ["127.0.0.1"], fault: isFaulty ? world.fault : nil)
                let faults = (isFaulty ? world.redirect : nil).map {
                    [HostFault(pack: "p", action: .redirect(to: $0, status: 302))]
                }
                let error = try await host.serve(faults: faults ?? [], security: .init(makeHandlers: handlers)) {
                    var configuration = LoaderConfiguration(manifest: $0, store: store)
                    configuration.transfers.authorities = trusted
                    let loader = try ResourceLoader(configuration)
                    let (key, error) = await loader.request(["p"])
                    #expect((loader.store.storedPack("p") == nil) == isFaulty)
                    loader.end(key)
                    await loader.close()
                    return error
                }
                guard isFaulty else {
                    #expect(error == nil, "\(error?.description ?? "")")
                    continue
                }
                #expect(error?.code == row.code && error?.domain.rawValue == row.domain, "\(error?.description ?? "")")
                #expect(error?.kind.rawValue == row.people)
            }
        }
    }
}
