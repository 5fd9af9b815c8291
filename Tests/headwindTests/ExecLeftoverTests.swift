import Foundation
import Glibc
import SystemPackage
import Testing

@testable import headwind

/// Every process that a program of `headwind exec --backend proxy` starts ends with it, whatever is killed.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(5))) struct ExecLeftoverTests {
    /// What ends the run while the program is running.
    enum Ending: CaseIterable {
        case time, asked, interrupted, harness, client, everything
        /// Kills one guard, the other guard, or all of Headwind's own processes at once.
        case firstGuard, secondGuard, allOfHeadwind

        /// Without a process namespace nothing can end a process that has left all of its parents.
        var needsNamespace: Bool { self == .everything || self == .allOfHeadwind }
    }

    /// Shell code that a program runs, by what it starts.
    static let clients = [
        "a child": "",
        "a daemon that ignores signals": "setsid -f sh -c 'trap \"\" TERM HUP INT; sleep 300; true'",
        "one that is stopped": "(sh -c 'kill -STOP $$' &)",
        "one that forks again and again": """
        run() { test "$1" -gt 0 && (run $(($1 - 1)) &); }
        (trap '' TERM INT; run 100000 &)
        """,
    ]

    @Test(arguments: clients.keys.sorted(), Ending.allCases.filter { !$0.needsNamespace })
    func nothingIsLeft(client: String, ending: Ending) async throws { try await leaveNothing(client, ending) }

    @Test(.needsRoot, arguments: clients.keys.sorted(), Ending.allCases.filter(\.needsNamespace))
    func nothingIsLeftInANamespace(client: String, ending: Ending) async throws {
        try await leaveNothing(client, ending)
    }

    private func leaveNothing(_ client: String, _ ending: Ending) async throws {
        let run = try ExecRun()
        defer { run.remove() }
        // A shell that waits for a foreground program handles SIGINT only after that program has ended.
        let work = ending == .interrupted ? "sleep 300 &\nwait" : "sleep 300"
        let script = "\(Self.clients[client] ?? "")\necho up > up\n\(work)\ntrue\n"
        try script.write(toFile: run.folder.appending("client.sh").string, atomically: false, encoding: .utf8)
        let mark = String(UInt64.random(in: .min ... .max), radix: 36)
        let options = ending == .time ? "--timeout 1s" : ""
        let process = try run.start(
            "HEADWIND_MARK=\(mark) exec $HW exec --backend proxy \(options) --profile wifi -- sh ./client.sh")
        try await run.wait(for: "up", in: "up")
        try end(ending, of: process.processID, ProcessTree.marked(mark))
        let answer = await run.finish(process)
        var left = ProcessTree.marked(mark)
        for _ in 0..<1600 where !left.isEmpty {
            try await Task.sleep(for: .milliseconds(5))
            left = ProcessTree.marked(mark)
        }
        #expect(left.isEmpty, "\(left), status \(answer.status): \(answer.errors)")
        for process in left { kill(process.number, SIGKILL) }
        if ending == .time { #expect(answer.status == 124) }
    }

    private func end(_ ending: Ending, of harness: pid_t, _ there: [ProcessTree.Entry]) throws {
        let guards = there.filter { $0.name == "headwind-guard" }.map(\.number)
        switch ending {
        case .time: break
        case .asked: kill(harness, SIGTERM)
        case .interrupted: kill(harness, SIGINT)
        case .harness: kill(harness, SIGKILL)
        case .client:
            let client = there.filter { $0.name == "sh" }.map(\.number).min()
            kill(try #require(client), SIGKILL)
        case .firstGuard: kill(try #require(guards.min()), SIGKILL)
        case .secondGuard: kill(try #require(guards.max()), SIGKILL)
        case .allOfHeadwind: for number in [harness] + guards { kill(number, SIGKILL) }
        case .everything: for process in there { kill(process.number, SIGKILL) }
        }
    }
}
