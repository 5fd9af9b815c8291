import Foundation
import SystemPackage
import Testing

/// The app in `Examples/`, which depends on this package, is built and run against `headwind host` over 3G.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ExampleTests {
    private static let root = (0..<3).reduce(FilePath(#filePath)) { path, _ in path.removingLastComponent() }

    /// Products stay below `.build`, so only the first build takes a minute and a half.
    @Test func theAppIsBuiltAndRunsOver3G() async throws {
        let answer = try await ExecRun.line(
            """
            export HEADWIND_BUILD=programs
            [ ! -e "\(Self.root)/Package.resolved" ] || cp "\(Self.root)/Package.resolved" "\(Self.root)/Examples"
            swift build --package-path "\(Self.root)/Examples" --scratch-path "\(Self.root)/.build/examples" \\
                -Xswiftc -gnone > build 2>&1 || { cat build; exit 1; }
            for name in menu level-1 level-2 level-3; do mkdir -p game/$name; done
            head -c 10000 /dev/urandom > game/menu/menu.bin
            for name in level-1 level-2 level-3; do head -c 100000 /dev/urandom > game/$name/$name.bin; done
            $HW pack build game --by-folder --output packs > /dev/null || exit
            $HW host packs --ready-file ready > /dev/null 2>&1 & host=$!
            trap 'kill $host; wait $host' EXIT
            for _ in $(seq 500); do [ -s ready ] && break; sleep 0.02; done
            port=$(sed -n 's/.*"port" *: *\\([0-9]*\\).*/\\1/p' ready)
            $HW exec --profile 3g --forward $port -- "\(Self.root)/.build/examples/debug/levels" \\
                http://127.0.0.1:$port/AssetPackManifest.plist store
            """)
        let lines = answer.output.split(separator: "\n").filter { !$0.contains(": a bar of ") }
        #expect(
            lines == [
                "menu: not here", "menu: 10000 bytes", "level-1: 100000 bytes", "level-2: 100000 bytes",
                "low on space: gave up level-1", "level-3: no room", "level-3: 100000 bytes",
                "level-9: there is no such level",
            ], "\(answer.output)\(answer.errors)")
        let bars = answer.output.split(separator: "\n").filter { $0.contains(": a bar of ") }
        #expect(bars.count == 3 && bars.allSatisfy { $0.hasSuffix("never back") }, "\(bars)")
    }
}
