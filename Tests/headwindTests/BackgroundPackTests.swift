import Testing

/// `headwind pack`, `headwind host` and `headwind init` with Background Assets, run in a shell.
@Suite("Background Assets by hand", .sideBySide, .serialized, .timeLimit(.minutes(3)))
struct BackgroundPackTests {
    private func run(_ line: String) async throws -> ExecRun.Answer {
        let run = try ExecRun()
        defer { run.remove() }
        return try await run.run(
            """
            describe() {
                mkdir -p "packs/$1" && head -c 20000 /dev/urandom > "packs/$1/$1.bin"
                echo "{\\"assetPackID\\": \\"$1\\", \\"downloadPolicy\\": $2, \\"fileSelectors\\": [{\\"directory\\": \\".\\"}]}" \\
                    > "packs/$1/Manifest.json"
            }
            describe One '{"essential": {"installationEventTypes": ["firstInstallation"]}}'
            describe Two '{"onDemand": {}}'
            \(line)
            """)
    }

    @Test func aFolderOfManifestsIsCheckedBuiltAndShown() async throws {
        let answer = try await run(
            """
            "$HW" pack check packs && "$HW" pack check packs/One/Manifest.json && "$HW" pack show packs &&
                "$HW" pack build packs --output assets && ls assets && "$HW" pack check assets && "$HW" pack show assets
            """)
        #expect(answer.status == 0, "\(answer.errors)")
        for text in [
            "packs: 2 packs in order", "packs/One/Manifest.json: 1 pack in order", "  Two.bin  20.0 kB",
            "essential (firstInstallation)", "One.assetpack", "download-manifest.json", "assets: 2 packs in order",
            "assets/Two",
        ] {
            #expect(answer.output.contains(text), "\(text) in \(answer.output)")
        }
        #expect(answer.errors.contains("for devices run Apple's ba-package"), "\(answer.errors)")
    }

    @Test(arguments: [
        (
            "sed -i s/onDemand/demand/ packs/Two/Manifest.json",
            "packs/Two/Manifest.json:1:43: there is no download policy"
        ),
        ("rm packs/One/One.bin", "packs/One/Manifest.json:1:"),
        ("echo { > packs/One/Manifest.json", "packs/One/Manifest.json:2:1: "),
        ("rm -r packs/*/Manifest.json; touch packs/a.json", "no manifest"),
    ])
    func anErrorNamesItsLine(change: String, reason: String) async throws {
        let answer = try await run("\(change); \"$HW\" pack check packs")
        let isNone = reason == "no manifest"
        #expect(answer.status == 65 && (isNone || answer.errors.contains(reason)), "\(answer.errors)")
    }

    @Test func onlyPacksOfThePlatformAreBuilt() async throws {
        let answer = try await run(
            """
            sed -i 's/}$/, "platforms": ["tvOS"]}/' packs/Two/Manifest.json
            for platform in iOS tvOS; do "$HW" pack check packs --platform $platform; done
            rm -r packs/One; "$HW" pack build packs --output assets --platform iOS
            """)
        #expect(answer.output == "packs: 1 pack in order\npacks: 2 packs in order\n", "\(answer.output)")
        #expect(answer.status == 65 && answer.errors.contains("no pack in 'packs' is for iOS"), "\(answer.errors)")
    }

    @Test func anAppleArchiveIsRecognizedByItsFirstBytes() async throws {
        let answer = try await run(
            """
            "$HW" pack build packs --output assets > built 2>&1
            rm assets/One.assetpack; { printf pbze; head -c 20573 /dev/zero; } > assets/One.aar
            sed -i 's/"sha256": "[0-9a-f]*"/"x": 1/' assets/download-manifest.json
            "$HW" pack show assets/One.aar && "$HW" pack check assets; echo "status $?"
            { printf nope; head -c 20573 /dev/zero; } > assets/One.aar; "$HW" pack check assets; echo "status $?"
            """)
        #expect(answer.output.contains("assets/One.aar: an Apple Archive, in blocks of LZFSE"), "\(answer.output)")
        #expect(answer.output.contains("is not an Apple Archive, despite its name"), "\(answer.output)")
        #expect(answer.output.hasSuffix("status 65\n"), "\(answer.output)")
    }

    @Test(arguments: [".assetpack", ".aar", ""]) func aHostServesEachKindOfPack(suffix: String) async throws {
        let answer = try await run(
            """
            "$HW" pack build packs --output assets --url-prefix https://cdn.example/x/ > built 2>&1
            [ "\(suffix)" = .assetpack ] || mv assets/One.assetpack "assets/One\(suffix)"
            "$HW" host assets --ready-file ready > url & host=$!
            while [ ! -e ready ]; do sleep 0.05; done
            curl -s -D - "$(cat url)/manifest?platform=iOS" | tr -d '\\r'; curl -s -o got "$(cat url)/x/One"
            kill -INT $host; wait $host
            cmp got "assets/One\(suffix)" && echo same
            """)
        for text in ["Content-Type: application/json", "\"url\": \"/x/One\"", "\nsame"] {
            #expect(answer.output.contains(text), "\(text) in \(answer.output) \(answer.errors)")
        }
    }

    @Test func aScenarioForAFolderRuns() async throws {
        let answer = try await run(
            """
            "$HW" init packs > said && grep -c '^catalog: {background-assets: "\\?./packs"\\?}' scenario.yaml
            sed -i -e 's/attempts: 5/attempts: 1/' -e 's/median <= .*/max <= 60 s/' scenario.yaml
            measured "$HW" run --backend proxy scenario.yaml
            """)
        #expect(answer.status == 0, "\(answer.output) \(answer.errors)")
        #expect(answer.output.hasPrefix("1\n"), "\(answer.output)")
    }

    @Test func packsAreRequestedByHand() async throws {
        let answer = try await run(
            """
            "$HW" pack build packs --output assets > built 2>&1
            "$HW" host assets --ready-file ready > url 2> log & host=$!
            while [ ! -e ready ]; do sleep 0.05; done
            "$HW" request --background-assets --packs-url "$(cat url)" --store device Two; echo "status $?"
            "$HW" request --background-assets --packs-url "$(cat url)" --store device Three; echo "status $?"
            "$HW" device show --store device; "$HW" host check "$(cat url)/manifest"; echo "check $?"
            kill -INT $host; wait $host
            cmp packs/Two/Two.bin device/packs/Two/Two.bin && echo same
            """)
        #expect(answer.output.contains("status 0") && answer.output.contains("status 1"), "\(answer.output)")
        #expect(answer.output.contains("\nsame"), "\(answer.output)")
        #expect(answer.output.contains("check 0") && !answer.output.contains("tag-table"), "\(answer.output)")
        #expect(answer.output.contains("upToDate downloaded"), "\(answer.output)")
        #expect(answer.output.contains("downloadAvailable"), "\(answer.output)")
        #expect(answer.errors.contains("BAManagedErrorDomain 0"), "\(answer.errors)")
    }
}
