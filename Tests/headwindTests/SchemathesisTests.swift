import Foundation
import Testing

/// The control API of `headwind proxy`, as built, tried by its own description: what that allows, and what it does not.
@Suite(.sideBySide, .timeLimit(.minutes(3)))
struct SchemathesisTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().path

    /// schemathesis of PyPI; the same requests in every run.
    ///
    /// Not asked are events, which have no end. Two of its checks cannot hold. No schema says which names profiles have, so
    /// not all that fits the description is accepted. And where a proxy cannot listen, the status is 500, as Toxiproxy has
    /// it: every other 500 is one that the description does not have.
    @Test func theAPIIsAsItSays() async throws {
        let said = try await StandingProxy.told(
            """
            tests=\(Self.folder)
            python=$("$tests/../../Scripts/python-environment" "$tests/Schemathesis/requirements.txt") || exit 1
            standing
            "$HW" schema control > control.json
            control=$(at control)
            timeout 150 "$python/bin/schemathesis" --no-color run control.json --url "${control%/v1/link}" --seed 1 \\
                --max-examples 80 --phases coverage,fuzzing,stateful --generation-database none --request-timeout 10 \\
                --checks all --exclude-checks positive_data_acceptance,not_a_server_error --exclude-path /v2/events || echo FAILED
            curl -s -m 10 -o /dev/null -w 'alive %{http_code}\\n' "$control"
            ended
            """)
        #expect(!said.contains("FAILED") && said.contains("alive 200\n"), "\(said)")
        #expect(said.contains("Tested: 11\n") && said.contains("Selected: 11/12\n"), "\(said)")
        let cases = try #require(said.firstMatch(of: /(\d+) generated, (\d+) passed/), "\(said)")
        #expect(cases.1 == cases.2 && (Int(cases.1) ?? 0) > 300, "\(said)")
    }
}
