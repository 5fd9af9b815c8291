import Foundation
import Testing

/// The Python package of `python/`, against the built `headwind proxy`.
@Suite(.sideBySide, .timeLimit(.minutes(2)))
struct PythonPackageTests {
    private static let package = URL(filePath: #filePath).appending(path: "../../../python").standardizedFileURL.path

    @Test func itsOwnTestsPass() async throws {
        let said = try await StandingProxy.told(
            """
            HEADWIND="$HW" PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -v -s \(Self.package)/tests 2>&1
            """)
        #expect(said.contains("\nOK\n") && said.matches(of: /\.\.\. ok\n/).count == 10, "\(said)")
    }
}
