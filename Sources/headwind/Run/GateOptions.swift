import ArgumentParser
import Harness
import LinkModel
import Results
import Scenarios

extension RunResult.OnInconclusive: ExpressibleByArgument {}

/// What a run is to do where it does not come to a clear end.
struct GateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What too little evidence comes to: fail (status 98), warn (status 0, and reports say so) or pass (status 0).",
            valueName: "what"))
    var onInconclusive = RunResult.OnInconclusive.fail

    @Option(
        help: ArgumentHelp(
            "End the run after this time, such as 20min, with status 75 and what was finished.", valueName: "time"),
        transform: { try Duration(parsing: $0) })
    var deadline: Duration?

    @Flag(
        name: .customLong("no-retry"),
        help: "Do not run a cell once more whose trouble was the machine's or the link's.")
    var isWithoutRetry = false

    func validate() throws {
        if let deadline, deadline <= .zero { throw ValidationError("--deadline is more than 0s.") }
    }

    /// Puts them into a run.
    func apply(to run: inout Run) {
        run.onInconclusive = onInconclusive
        run.deadline = deadline
        run.retriesTrouble = !isWithoutRetry
    }
}
