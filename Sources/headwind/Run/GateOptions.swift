import ArgumentParser
import Harness
import LinkModel
import Results
import Scenarios

extension RunResult.OnInconclusive: ExpressibleByArgument {}

/// Options for a run without a clear end.
struct GateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What to do if there is too little evidence: fail (status 98), warn (status 0 and a "
                + "warning) or pass (status 0).",
            valueName: "what"))
    var onInconclusive = RunResult.OnInconclusive.fail

    @Option(
        help: ArgumentHelp(
            "Stop the run after this time, such as 20min, with status 75 and the results so far.", valueName: "time"),
        transform: { try Duration(parsing: $0) })
    var deadline: Duration?

    @Flag(name: .customLong("no-retry"), help: "Do not repeat a cell after trouble of the machine or the link.")
    var isWithoutRetry = false

    func validate() throws {
        if let deadline, deadline <= .zero { throw ValidationError("--deadline is more than 0s.") }
    }

    /// Applies the options to a run.
    func apply(to run: inout Run) {
        run.onInconclusive = onInconclusive
        run.deadline = deadline
        run.retriesTrouble = !isWithoutRetry
    }
}
