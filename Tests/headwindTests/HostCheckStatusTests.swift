import Testing

/// Each exit status of `headwind host check` in a shell, with a server that causes it.
@Suite("headwind host check's statuses", .timeLimit(.minutes(2)))
struct HostCheckStatusTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// The server's fault, or nil without a server.
        var fault: String?
        /// The arguments, in which `$URL` is the server.
        var arguments: String
        var status: Int32
        /// What the standard output and the errors contain.
        var output = ""
        var errors = ""

        var testDescription: String { "\(arguments) \(fault ?? "without a server"): \(status)" }
    }

    /// Builds a pack, serves it with the fault (`-`: none) unless that is nil, and checks the server.
    private func check(_ one: Case) async throws -> ExecRun.Answer {
        let serve = """
            mkdir -p game/level && echo 1 > game/level/map.bin
            "$HW" pack build game --by-folder -o packs > built 2>&1 || exit 90
            "$HW" host packs --ready-file ready \(one.fault == "-" ? "" : "--fault '\(one.fault ?? "")'") > served 2>&1 &
            server=$!
            trap 'kill $server; wait $server' EXIT
            for _ in $(seq 1000); do [ -s ready ] && break; sleep 0.01; done
            URL=$(sed -n 's/.*"url" : "\\(.*\\)".*/\\1/p' ready)
            """
        return try await ExecRun.line(
            """
            \(one.fault == nil ? "" : serve)
            "$HW" host check \(one.arguments)
            """)
    }

    @Test(arguments: [
        Case(fault: "-", arguments: "\"$URL\"", status: 0, output: "holds"),
        Case(fault: "-", arguments: "\"$URL/AssetPackManifest.plist\" --format json", status: 0, output: "\"holds\""),
        Case(
            fault: "ignore-range", arguments: "\"$URL\"", status: 1, output: "fails",
            errors: "cannot host packs as it is: range"),
        Case(fault: "pack=manifest status=404", arguments: "\"$URL\"", status: 1, errors: "manifest"),
        Case(arguments: "http://127.0.0.1:1/", status: 69, errors: "cannot be reached"),
        Case(arguments: "http://nothing.invalid/", status: 69, errors: "cannot be reached"),
        Case(arguments: "ftp://127.0.0.1/", status: 65, errors: "is not an http or https URL"),
        Case(arguments: "http://127.0.0.1/ --parallel 0", status: 64, errors: "--parallel is a number from 1 to 64"),
        Case(arguments: "http://127.0.0.1/ --patience ten", status: 64, errors: "--patience"),
        Case(arguments: "", status: 64, errors: "<url>"),
    ])
    func statusAndOutputFit(one: Case) async throws {
        let answer = try await check(one)
        #expect(answer.status == one.status, "\(answer.output)\(answer.errors)")
        #expect(one.output.isEmpty || answer.output.contains(one.output), "\(answer.output)")
        #expect(one.errors.isEmpty || answer.errors.contains(one.errors), "\(answer.errors)")
    }
}
