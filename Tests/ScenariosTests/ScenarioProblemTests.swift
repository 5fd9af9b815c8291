import Testing

/// The problems of wrong scenarios.
@Suite struct ScenarioProblemTests {
    static let base = "scenario: Test\npacks: ./packs\nlink: 3g\n"
    private static let minimal = base + "workload: [{request: {tags: [a]}}]\n"

    static let content = [
        Case(
            "nothing to download", "scenario: Test\nlink: 3g\nworkload: [{request: {tags: [a]}}]\n",
            "1:1 a scenario needs one of the keys catalog, packs, host"),
        Case(
            "two things to download", minimal + "catalog: shapes\n",
            "2:1 'packs' cannot be combined with 'catalog' in a scenario | keep one of them"),
        Case(
            "catalog misspelt", minimal.replacing("packs: ./packs", with: "catalog: shaps"),
            "2:10 there is no catalog 'shaps' | did you mean 'shapes'?"),
        Case(
            "catalog without slash", minimal.replacing("packs: ./packs", with: "catalog: game"),
            "2:10 there is no catalog 'game' | write a folder as './game'"),
        Case(
            "catalog without tags", minimal.replacing("packs: ./packs", with: "catalog: ./packs"), "2:10 the catalog '"),
        Case(
            "catalog's key", minimal.replacing("packs: ./packs", with: "catalog: {foldr: ./packs, tags: by-folder}"),
            "2:11 there is no key 'foldr' in a catalog | did you mean 'folder'?"),
        Case("packs nowhere", minimal.replacing("./packs", with: "./paks"), "2:8 there is no folder '"),
        Case("packs that are a file", minimal.replacing("./packs", with: "headers.txt"), "2:8 '"),
        Case(
            "host without scheme", minimal.replacing("packs: ./packs", with: "host: a.example"),
            "2:7 'a.example' is not a URL such as https://staging.example/packs/ | begin it with http:// or https://"),
        Case(
            "host without host", minimal.replacing("packs: ./packs", with: "host: https:///x"),
            "2:7 'https:///x' is not a URL such as https://staging.example/packs/ | it names no host"),
        Case(
            "manifest twice", minimal.replacing("packs: ./packs", with: "host: {url: https://a.b/x, manifest: y}"),
            "2:28 the URL already names the manifest | end the URL with '/'"),
        Case(
            "token itself",
            minimal.replacing("packs: ./packs", with: "host: {url: https://a.b/, token-env: 's3cr3t!'}"),
            "2:38 's3cr3t!' is not the name of an environment variable | write its name, not the token itself"),
        Case(
            "header that splits",
            minimal.replacing("packs: ./packs", with: "host: {url: https://a.b/, headers: {A: \"b\\nC: d\"}}"),
            "2:37 'A' is not a header field"),
        Case(
            "tls of a host", minimal.replacing("packs: ./packs", with: "host: https://a.b/") + "tls: true\n",
            "5:1 'tls' is for the built-in host | the URL says http or https"),
        Case(
            "faults of a host",
            minimal.replacing("packs: ./packs", with: "host: https://a.b/") + "faults: [{pack: a, status: 500}]\n",
            "5:1 only the built-in host plays faults | keep only link faults"),
        Case(
            "a multiple of ideal of a host",
            minimal.replacing("packs: ./packs", with: "host: https://a.b/")
                + "budgets: {time_to_available: max <= 2 x ideal}\n",
            "5:1 the ideal time is unknown here: what is downloaded is unknown before the run"
                + " | write a fixed limit"),
        Case(
            "what a host counts",
            minimal.replacing("packs: ./packs", with: "host: https://a.b/")
                + "budgets: {time_to_available: max <= 2 s, retries: max <= 0}\n",
            "5:1 'retries' is unknown here: only the built-in host measures it | leave it out"),
        Case(
            "a multiple of ideal with a pause",
            minimal.replacing("[a]}}]", with: "[a]}}, {sleep: 1 s}]")
                + "budgets: {time_to_available: max <= 2 x ideal}\n",
            "5:1 the ideal time is unknown here: the workload has steps other than downloads | write a fixed limit"),
        Case(
            "a multiple of what is not measured", minimal + "budgets: {time_to_available: max <= 2 x reference}\n",
            "5:30 this version does not measure a reference | write a multiple of ideal, or a fixed limit"),
        Case(
            "a maximum against a baseline",
            minimal + "attempts: 5\nbudgets: {time_to_available: max <= 2 x baseline}\n",
            "6:30 a noisy metric is compared with a baseline by its median | write 'median' instead of 'max'"),
        Case(
            "a baseline itself as the limit",
            minimal + "attempts: 5\nbudgets: {time_to_available: median <= 1 x baseline}\n",
            "6:30 a comparison of a noisy metric needs a tolerance | write '1.05 x baseline', "
                + "or add a number"),
        Case(
            "a comparison of four", minimal + "attempts: 4\nbudgets: {time_to_available: median <= 2 x baseline}\n",
            "6:30 a comparison needs at least 5 attempts of each side, and the scenario asks for 4 | "
                + "write 'attempts: 5'"),
        Case(
            "a fault by a host's pack",
            minimal.replacing("packs: ./packs", with: "host: https://a.b/")
                + "faults: [{after: 40 % of a, link: silent}]\n",
            "5:1 the packs of this host are unknown | write a time, or bytes without a pack"),
        Case(
            "a file like a host's pack",
            minimal.replacing("packs: ./packs", with: "host: https://a.b/")
                .replacing(/workload: .*/, with: "workload: {command: [curl, '{url}'], pack: a}")
                + "expect: {files: {a: a}}\n",
            "4:1 the packs of this host are unknown | leave 'pack' out, and write the URL itself, or {manifest}",
            "5:1 the packs of this host are unknown | write the file's SHA-256"),
    ]

    static let settings = [
        Case(
            "misspelt top key", minimal + "atempts: 3\n",
            "5:1 there is no key 'atempts' in a scenario | did you mean 'attempts'?"),
        Case(
            "later version", minimal + "version: 2\n",
            "5:1 this Headwind reads version 1 of scenarios | use a later Headwind"),
        Case("flag", minimal + "tls: yes\n", "5:6 'yes' is not true or false | write true"),
        Case(
            "unknown profile", minimal.replacing("3g", with: "3gg"),
            "3:7 there is no profile '3gg' | did you mean '3g'?"),
        Case(
            "key of a link", minimal.replacing("link: 3g", with: "link: {profle: 3g}"),
            "3:8 there is no key 'profle' in a link | did you mean 'profile'?"),
        Case(
            "fidelity", minimal.replacing("link: 3g", with: "link: {fidelity: modeled}"),
            "3:18 'modeled' is not a fidelity: modelled, packet, any | did you mean 'modelled'?"),
        Case(
            "seed", minimal.replacing("link: 3g", with: "link: {seed: -1}"), "3:14 '-1' is not a seed: a whole number"),
        Case(
            "limits", minimal + "device: {limits: ios-2016}\n",
            "5:18 'ios-2016' is not the name of a set of limits | did you mean 'ios-2015'?"),
        Case(
            "capacity", minimal + "device: {capacity: 512}\n",
            "5:20 '512' is not a size such as 64 MiB or 2 GB | it has no unit; write 512 B, kB, MB, GB, KiB, MiB or GiB"
        ),
        Case(
            "radio", minimal + "device: {radio: celular}\n",
            "5:17 'celular' is not a radio: wifi, cellular, none | did you mean 'cellular'?"),
        Case("attempts", minimal + "attempts: 0\n", "5:11 0 is out of range | the range is 1 to 1000"),
        Case(
            "attempts the wrong way", minimal + "attempts: {min: 5, max: 3}\n",
            "5:20 'max' (3) is less than 'min' (5)"),
        Case("patience of nothing", minimal + "patience: 0 s\n", "5:11 '0 s' is out of range: the least is 1 ns"),
        Case("deadline beyond a day", minimal + "deadline: 25 h\n", "5:11 '25 h' is out of range: the most is 24 h"),
    ]

    static let faults = [
        Case("no action", minimal + "faults: [{pack: a}]\n", "5:11 a fault needs one of the keys status, redirect"),
        Case(
            "two actions", minimal + "faults: [{pack: a, status: 500, drip: 2 kB/s}]\n",
            "5:33 'drip' cannot be combined with 'status' in a fault | keep one of them"),
        Case(
            "action misspelt", minimal + "faults: [{pack: a, stats: 500}]\n",
            "5:20 there is no key 'stats' in a fault | did you mean 'status'?"),
        Case(
            "status that is fine", minimal + "faults: [{pack: a, status: 200}]\n",
            "5:28 200 is out of range | the range is 400 to 599"),
        Case(
            "retry without status", minimal + "faults: [{pack: a, drip: 1 B/s, retry-after: 2 s}]\n",
            "5:33 'retry-after' needs 'status' | add 'status: 503'"),
        Case(
            "retry in two hundred years",
            minimal + "faults: [{pack: a, status: 503, retry-after: {date: -1800000 h}}]\n",
            "5:53 '-1800000 h' is out of range: the most is 876000 h"),
        Case(
            "retry in parts of seconds", minimal + "faults: [{pack: a, status: 503, retry-after: 1.5 s}]\n",
            "5:46 Retry-After counts whole seconds"),
        Case(
            "try", minimal + "faults: [{pack: a, try: 3-1, status: 500}]\n",
            "5:25 '3-1' is not a try such as 1, or tries such as 1-3 | tries are counted from 1"),
        Case(
            "cut beyond the end", minimal + "faults: [{pack: a, cut: {at: 140%}}]\n",
            "5:30 '140%' is not a place in a body, such as 40 % or 1 MiB | the most is 100 %"),
        Case(
            "drip of nothing", minimal + "faults: [{pack: a, drip: 7 bit/s}]\n",
            "5:26 '7 bit/s' is not a rate, such as 16 kbit/s or 2 kB/s | the least is 1 byte (8 bits) per second"),
        Case(
            "moment", minimal + "faults: [{after: later, link: edge}]\n",
            "5:18 'later' is not a moment, such as 3 s, 1 MiB, 40 % of level-2, progress + 3, or callback + 1"),
        Case(
            "share of nothing", minimal + "faults: [{after: 40%, link: edge}]\n",
            "5:18 '40%' is not a moment, such as 3 s, 1 MiB, 40 % of level-2, progress + 3, or callback + 1 | a share of what? write '40% of' and a pack or tag"
        ),
        Case(
            "what link", minimal + "faults: [{after: 1 s, link: ofline}]\n",
            "5:29 'ofline' is neither an offline state nor a profile | did you mean 'offline'?"),
        Case(
            "link fault misspelt", minimal + "faults: [{aftr: 1 s, link: edge}]\n",
            "5:11 there is no key 'aftr' in a link fault | did you mean 'after'?"),
    ]

    static let judging = [
        Case(
            "outcome", minimal + "expect: availble\n",
            "5:9 'availble' is not an expectation, such as available or error -1009: use one of available, error, either, no callback, here, not-here | did you mean 'available'?"
        ),
        Case(
            "error's class", minimal + "expect: {error: {class: netwrk}}\n",
            "5:25 'netwrk' is not valid: use one of network, storage, unexpected | did you mean 'network'?"),
        Case(
            "all of an error",
            minimal + "expect: {error: {domain: NSURLErorDomain, code: x, class: netwrk, within: 20, cod: 1}}\n",
            "5:26 'NSURLErorDomain' is not valid: Apple has no such error domain | did you mean 'NSURLErrorDomain'?",
            "5:49 'x' is not valid: use a whole number", "5:59 'netwrk' is not valid: use one of",
            "5:75 '20' is not valid: use a time with its unit", "5:79 there is no key 'cod' in an error"),
        Case(
            "error's domain in a text", minimal + "expect: error NSCocoaErrorDomian 4994\n",
            "5:9 'error NSCocoaErrorDomian 4994' is not an expectation, such as available or error -1009: Apple has no such "
                + "error domain | did you mean 'NSCocoaErrorDomain'?"),
        Case(
            "error's class in a text", minimal + "expect: error netwrk -1009\n",
            "5:9 'error netwrk -1009' is not an expectation, such as available or error -1009: use one of network, "
                + "storage, unexpected | did you mean 'network'?"),
        Case(
            "error's key", minimal + "expect: {eror: -1009}\n",
            "5:10 there is no key 'eror' in an expectation | did you mean 'error'?"),
        Case(
            "request's name", minimal + "expect: {r1: available, r2: available}\n",
            "5:25 there is no key 'r2' in the expectations | did you mean 'r1'?"),
        Case(
            "exit of the client", minimal + "expect: {exit: 0}\n",
            "5:10 'exit' is for commands | the built-in client has requests"),
        Case(
            "file elsewhere", base + "workload: {command: x}\nexpect: {files: {../x: a}}\n",
            "5:18 '../x' is not a path below the command's folder | write 'name' or 'folder/name'"),
        Case(
            "metric", minimal + "budgets: {time_to_avalable: max <= 1 s}\n",
            "5:11 there is no metric 'time_to_avalable' | did you mean 'time_to_available'?"),
        Case("statistic", minimal + "budgets: {time_to_available: mx <= 1 s}\n", "5:30 'mx' is not a statistic"),
        Case(
            "comparator", minimal + "budgets:\n  time_to_available: 'max =< 1 s'\n",
            "6:27 a comparator is expected after the statistic: one of"),
        Case("unit", minimal + "budgets: {time_to_available: max <= 1 MB}\n", "5:39 "),
        Case("phrase", minimal + "budgets: {progress: [monotonic, honest wthin 2%]}\n", "5:40 'within' is expected"),
        Case(
            "median of few", minimal + "budgets: {time_to_available: median <= 1 s}\nattempts: {min: 1, max: 4}\n",
            "5:30 median needs at least 5 attempts, and the scenario asks for 1, at most 4 | write 'attempts: 5', or limit the max"
        ),
    ]

    @Test(arguments: content + settings + workloads + faults + judging) func refusesWithPlaceAndHint(_ example: Case)
        throws
    {
        let found = try problems(inScenario: example.text.utf8)
        #expect(found.count == example.problems.count, "\(found)")
        for (problem, expected) in zip(found, example.problems) { #expect(problem.hasPrefix(expected)) }
    }

    @Test func reportsAllProblemsInOrder() throws {
        let text = """
            scenario: Test
            packs: ./packs
            link: {profile: 3gg, seed: x}
            workload: [{request: {tgs: [a]}}]
            faults:
              - {pack: a, status: 200}
              - {after: 1 s, link: edg}
            budgets: {throughput: min >= 1 s}
            atempts: 3
            """
        let found = try problems(inScenario: text.utf8)
        #expect(
            found.map { String($0.prefix { $0 != " " }) } == ["3:17", "3:28", "4:23", "6:23", "7:24", "8:32", "9:1"])
    }
}
