import ResourceLoading
import Testing

@testable import headwind_client

struct WorkloadTests {
    @Test func readsEveryStep() throws {
        let json = """
            {"steps": [
              {"request": {"id": "r1", "tags": ["a", "b"], "priority": 0.9}},
              {"request": {"id": "r2", "tags": ["c"], "priority": "urgent"}, "background": true},
              {"cancel": "r2", "after": 0.25},
              {"cancel": "r2", "at": 0.4},
              {"wait": "r2"},
              {"sleep": 1.5},
              {"end": "r1"},
              {"request": {"id": "r3", "tags": ["d"], "conditional": true}},
              {"begin": "r3", "background": true},
              {"pause": "r3"},
              {"pause": "r3", "at": 0.5},
              {"resume": "r3"},
              {"priority": "r3", "to": 0.2},
              {"priority": "r3", "to": "urgent"},
              {"end": "r3", "wait": false}
            ]}
            """
        #expect(
            try Workload(json: Array(json.utf8)).steps == [
                .request(id: "r1", tags: ["a", "b"], priority: .normal(0.9), isBackground: false),
                .request(id: "r2", tags: ["c"], priority: .urgent, isBackground: true),
                .cancel("r2", after: .milliseconds(250)),
                .cancelAt("r2", fraction: 0.4),
                .wait("r2"),
                .sleep(.milliseconds(1500)),
                .end("r1"),
                .request(id: "r3", tags: ["d"], priority: .normal(0.5), isBackground: false, isConditional: true),
                .begin("r3", isBackground: true),
                .pause("r3", fraction: nil),
                .pause("r3", fraction: 0.5),
                .resume("r3"),
                .setPriority("r3", .normal(0.2)),
                .setPriority("r3", .urgent),
                .end("r3", waits: false),
            ])
    }

    @Test func readsStepsOfALife() throws {
        let json = """
            {"steps": [
              {"install": true},
              {"launch": true, "bundle": "com.example.one"},
              {"request": {"id": "r1", "tags": ["a"]}, "background": true},
              {"use": "r1"},
              {"preserve": ["a"], "to": 0.5},
              {"fill": 200000000},
              {"purge": 1},
              {"radio": "none"},
              {"buy": ["b"]},
              {"quit": true},
              {"update": "/m.plist", "tagTable": "/t.plist"},
              {"launch": true}
            ]}
            """
        #expect(
            try Workload(json: Array(json.utf8)).steps == [
                .install, .launch(bundle: "com.example.one"),
                .request(id: "r1", tags: ["a"], priority: .normal(0.5), isBackground: true), .use("r1"),
                .preserve(["a"], priority: 0.5), .press(.fill(200_000_000)), .press(.purge(1)), .radio(.none),
                .buy(["b"]), .quit,
                .update(manifest: "/m.plist", tagTable: "/t.plist"), .launch(bundle: nil),
            ])
    }

    @Test func tagsAreOneRequestThatIsEnded() {
        let steps: [Workload.Step] = [
            .request(id: "r1", tags: ["a", "b"], priority: .normal(0.5), isBackground: false), .end("r1"),
        ]
        #expect(Workload(tags: ["a", "b"]).steps == steps)
    }

    @Test(arguments: [
        (#"{"step": []}"#, "The file: unknown key 'step'. Known: steps."),
        (#"{}"#, "the key 'steps' is missing."),
        ("", "it is empty."), ("{\n\"steps\" []", "line 2, column 9: it is not JSON from there on."),
        (#"{"steps": 3}"#, "steps: a list is expected."),
        (
            #"{"steps": [{"start": "r1"}]}"#,
            """
            steps[0]: a step is one of request, begin, end, cancel, pause, resume, priority, wait, sleep, use, install, \
            launch, quit, update, buy, preserve, radio, fill, purge, remove.
            """
        ),
        (#"{"steps": [{"wait": "r1"}]}"#, "steps[0]: no earlier step begins a request 'r1'. Begun: ."),
        (
            #"{"steps": [{"request": {"id": "r", "tag": ["a"]}}]}"#,
            "steps[0].request: unknown key 'tag'. Known: conditional, id, priority, tags."
        ),
        (#"{"steps": [{"request": {"id": "r", "tags": []}}]}"#, "steps[0]: a request needs at least one tag."),
        (#"{"steps": [{"request": {"tags": ["a"]}}]}"#, "steps[0].request: the key 'id' is missing."),
        (
            #"{"steps": [{"request": {"id": "r", "tags": ["a"], "priority": 2}}]}"#,
            #"steps[0].request.priority: 2.0 is neither between 0 and 1 nor "urgent"."#
        ),
        (#"{"steps": [{"fill": 0}]}"#, "steps[0].fill: 0 is not a size of 1 byte or more."),
        (#"{"steps": [{"purge": -1}]}"#, "steps[0].purge: -1 is not a size of 1 byte or more."),
        (#"{"steps": [{"sleep": -1}]}"#, "steps[0].sleep: -1.0 is not a time in seconds between 0 and 1000000."),
        (
            #"{"steps": [{"request": {"id": "r", "tags": ["a"]}}, {"request": {"id": "r", "tags": ["a"]}}]}"#,
            "steps[1]: a request 'r' already exists; give this one a new id."
        ),
        (
            #"{"steps": [{"request": {"id": "r", "tags": ["a"]}}, {"cancel": "r", "at": 0.5, "after": 1}]}"#,
            "steps[1]: a cancel is either 'after' a time or 'at' a share of progress."
        ),
        (
            #"{"steps": [{"request": {"id": "r", "tags": ["a"]}}, {"cancel": "r", "at": 40}]}"#,
            "steps[1].at: 40.0 is not between 0 and 1."
        ),
        (
            #"{"steps": [{"request": {"id": "r", "tags": ["a"], "conditional": true}, "background": true}]}"#,
            "steps[0].request: a conditional request is answered at once: leave 'background' out."
        ),
        (
            #"{"steps": [{"request": {"id": "r", "tags": ["a"]}}, {"priority": "r"}]}"#,
            "steps[1]: the key 'to' is missing."
        ),
        (
            #"{"steps": [{"request": {"id": "r", "tags": ["a"]}}, {"pause": "r", "at": 2}]}"#,
            "steps[1].at: 2.0 is not between 0 and 1."
        ),
        (
            #"{"steps": [{"request": {"id": "r", "tags": ["a"]}, "background": true}, {"pause": "r"}, {"wait": "r"}]}"#,
            #"steps[2]: this step waits for 'r', which steps[1] paused: add {"resume": "r"} in between."#
        ),
        (
            """
            {"steps": [{"request": {"id": "r", "tags": ["a"]}, "background": true}, {"pause": "r", "at": 0.5},
              {"cancel": "r", "at": 0.7}]}
            """,
            """
            steps[1]: 'r' stays paused, but the client waits for its callback after the last step: add {"resume": "r"} or \
            {"cancel": "r"}.
            """
        ),
        (
            """
            {"steps": [{"request": {"id": "r", "tags": ["a"], "conditional": true}}, {"pause": "r"}, {"begin": "r"},
              {"resume": "r"}]}
            """,
            #"steps[2]: this step waits for 'r', which steps[1] paused: add {"resume": "r"} in between."#
        ),
        (#"{"steps": [{"begin": "r"}]}"#, "steps[0]: no earlier step begins a request 'r'. Begun: ."),
        (#"{"steps": [{"sleep": 0}, {"install": true}]}"#, "steps[1]: 'install' must be the first step."),
        (
            #"{"steps": [{"install": true}, {"request": {"id": "r", "tags": ["a"]}}]}"#,
            "steps[1]: the app is not running here: 'launch' it first."
        ),
        (#"{"steps": [{"launch": true}, {"launch": true}]}"#, "steps[1]: the app is already running: 'quit' it first."),
        (#"{"steps": [{"quit": true}, {"quit": true}]}"#, "steps[1]: the app is not running here."),
        (
            #"{"steps": [{"request": {"id": "r", "tags": ["a"]}}, {"quit": true}, {"launch": true}, {"use": "r"}]}"#,
            "steps[3]: no earlier step begins a request 'r'. Begun: ."
        ),
        (
            #"{"steps": [{"request": {"id": "prefetch-1", "tags": ["a"]}}]}"#,
            "steps[0]: 'prefetch-1' is a reserved name; give this one another."
        ),
        (#"{"steps": [{"radio": "wify"}]}"#, "steps[0].radio: 'wify' is not one of wifi, cellular, none."),
        (#"{"steps": [{"preserve": ["a"]}]}"#, "steps[0]: 'to' is missing."),
        (#"{"steps": [{"install": false}]}"#, "steps[0].install: it must be true, or absent."),
        (#"{"steps": [{"sleep": 1, "after": 2}]}"#, "steps[0]: unknown key 'after'. Known: sleep."),
    ])
    func saysWhatIsWrongAndWhere(json: String, text: String) {
        let error = #expect(throws: WorkloadError.self) { try Workload(json: Array(json.utf8)) }
        #expect(error?.description == text)
    }

    /// A pause that a step ends, or that holds nothing back.
    @Test(arguments: [
        #"{"pause": "r"}, {"resume": "r"}, {"wait": "r"}"#, #"{"pause": "r"}, {"cancel": "r", "after": 1}"#,
        #"{"pause": "r", "at": 0.5}, {"cancel": "r", "at": 0.5}"#, #"{"pause": "r", "at": 1}, {"use": "r"}"#,
        #"{"pause": "r"}, {"end": "r", "wait": false}, {"quit": true}"#,
    ])
    func takesAPauseThatEnds(steps: String) throws {
        let request = #"{"request": {"id": "r", "tags": ["a"]}, "background": true}"#
        #expect(throws: Never.self) { try Workload(json: Array("{\"steps\": [\(request), \(steps)]}".utf8)) }
        let waited = #"{"request": {"id": "r", "tags": ["a"]}}"#
        #expect(throws: Never.self) {
            try Workload(json: Array("{\"steps\": [\(waited), {\"pause\": \"r\"}, {\"end\": \"r\"}]}".utf8))
        }
    }

    @Test func refusesTextThatIsNoJSON() {
        #expect(throws: WorkloadError.self) { try Workload(json: Array("steps:".utf8)) }
    }
}
