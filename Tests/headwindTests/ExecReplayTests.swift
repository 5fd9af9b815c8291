import Testing

/// What `headwind replay` says where another program takes the place of the recorded one.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ExecReplayTests {
    @Test("another failure shows the program's errors, and a missing program's message names a file of that name")
    func explainsOtherFailures() async throws {
        let answer = try await ExecRun.line(
            """
            mkdir a b; printf '#!/bin/sh\\nexit 4\\n' > a/prog; chmod +x a/prog
            printf '#!/bin/sh\\necho second is broken >&2; kill -SEGV $$\\n' > b/prog; chmod +x b/prog
            (cd a && PATH=.:$PATH exec $HW exec --backend packet --profile wifi --record ../kept -- prog)
            cd b; (PATH=$PWD/../a:$PATH; $HW replay ../kept --times 1; echo $?)
            $HW replay ../kept --times 1 -- ./prog; echo $?
            $HW replay ../kept --times 1 -- prog; echo $?
            """)
        #expect(answer.output.contains("\n99\n") && !answer.output.contains("differs: './prog'"), "\(answer.output)")
        #expect(answer.output.contains("  failed otherwise once: "), "\(answer.output) \(answer.errors)")
        #expect(answer.output.contains("\n    it said: second is broken\n125\n125\n"), "\(answer.output)")
        #expect(answer.errors.contains("there is no program 'prog'"), "\(answer.errors)")
        #expect(answer.errors.contains("it is in this folder, and not in PATH: write ./prog"), "\(answer.errors)")
    }
}
