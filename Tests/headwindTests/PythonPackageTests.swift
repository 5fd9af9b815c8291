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
        #expect(said.contains("\nOK\n") && said.matches(of: /\.\.\. ok\n/).count == 19, "\(said)")
    }

    /// Uses flit_core, pytest and mypy from PyPI.
    @Test func itInstallsWithFixturesAndTypes() async throws {
        let said = try await StandingProxy.told(
            """
            python=$(\(Self.package)/../Scripts/python-environment \(Self.package)/tests/requirements.txt) || exit 1
            cp -r \(Self.package) package
            "$python/bin/pip" -q --disable-pip-version-check install --no-build-isolation --no-deps --no-index \\
                --target installed ./package || exit 1
            ls package
            export HEADWIND="$HW" HEADWIND_CONTROL= PYTHONPATH="$PWD/installed" PYTHONDONTWRITEBYTECODE=1
            "$python/bin/python" -m pytest -p no:cacheprovider package/tests/fixtures_test.py || exit 1
            "$python/bin/python" -m mypy --strict --cache-dir /dev/null -p headwind || exit 1
            "$python/bin/python" -m mypy --strict --cache-dir /dev/null package/tests/fixtures_test.py
            """)
        // The folder of a release belongs to root, so nothing may be written into it.
        #expect(said.contains("headwind\npyproject.toml\ntests\n"), "\(said)")
        #expect(said.contains("3 passed in ") && said.matches(of: /Success: no issues found/).count == 2, "\(said)")
    }
}
