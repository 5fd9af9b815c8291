extension Attribution {
    /// The line of the table: whom it is about, the exit code, the sentence and the remedy.
    package var row: Row {
        switch self {
        case .clientCrashed, .clientHung, .clientFailed, .callbackRepeated, .contentWrong, .contentIncomplete,
            .clientFlooded, .requestMisused:
            clientRow
        case .clientNotStarted, .clientKilled, .clientMisused, .eventsMissing, .eventsCut: processRow
        case .cellDied, .hostDied, .hostFailed, .linkDied, .staleServer, .linkBypassed, .fasterThanIdeal: pathRow
        case .rateOff, .delayOff, .lossOff, .linkUnverified, .calibrationNotIndependent: calibrationRow
        case .faultNotPlayed, .bytesDisagree, .attemptLost, .metricMissing, .nothingChecked, .clockStepped,
            .machineNoisy:
            evidenceRow
        case .baselineFailed, .baselineMissing, .baselineUnlike: baselineRow
        case .resultsDiskFull, .resultsNotWritten, .scratchDiskFull, .resourcesMissing, .unfinished, .deadlineReached,
            .capabilityMissing, .harnessFailed, .interrupted, .terminated:
            runRow
        }
    }

    private var clientRow: Row {
        switch self {
        case .clientCrashed:
            .client(
                "The client was ended by a signal of its own making.",
                "Run the attempt's command again under a debugger; the signal is in the attempt.")
        case .clientHung:
            .client(
                "The client was still running at its deadline, and was stopped.",
                "Look in the timeline for the last event of the client; a client needs a time limit of its own.")
        case .clientFailed:
            .client(
                "The client ended with a status that was not expected.",
                "Read the end of the client's own output, which is in the attempt.")
        case .callbackRepeated:
            .client(
                "A request was called back more than once.",
                "Look in the timeline for the second callback of the request.")
        case .clientFlooded:
            .client(
                "The client told more events than anybody keeps.",
                "Let it tell its progress some times a second, and not with every block.")
        case .requestMisused:
            .client(
                "The client broke the order of a request's calls, for which Apple's class raises an exception.",
                "Look in the timeline for the event `misuse`: a request is begun once, called back, and ended once.")
        case .contentWrong:
            .client(
                "What the client stored is not what the host serves.",
                "Compare the digests in the attempt; a client must check what it received.")
        default:
            .client(
                "The client said that it has a pack, of which less reached it.",
                "Look in the timeline at the answers for the pack; a client must compare what it received with what was "
                    + "announced, and must bring no cache along.")
        }
    }

    private var processRow: Row {
        switch self {
        case .clientNotStarted:
            .infrastructure(
                "The client could not be started.", "Check that the command exists and may be executed.")
        case .clientKilled:
            .infrastructure(
                "The client was ended by a signal that Headwind did not send; who sent it is not known.",
                "See whether the client kills itself; for SIGKILL look in the kernel's log for 'Out of memory', and give the "
                    + "run more memory or fewer parallel cells.")
        case .clientMisused:
            .infrastructure(
                "The client refused its arguments.",
                "Check that headwind and headwind-client are of one version, or correct the scenario's command.")
        case .eventsMissing:
            .infrastructure(
                "The client ended and told no event.",
                "Check that nothing else takes the descriptor of its events.")
        default:
            .infrastructure(
                "The client's events stop before the last one.",
                "Check that nothing else takes the descriptor of its events, and that the disk is not full.")
        }
    }

    private var pathRow: Row {
        switch self {
        case .cellDied:
            .infrastructure(
                "The networks of the attempt could not be kept up.", "Read what the cell says; then run again.")
        case .hostDied:
            .infrastructure(
                "The pack host ended during the attempt.", "Read the host's own message; then run again.")
        case .hostFailed:
            .infrastructure(
                "The pack host could not serve what it had listed.",
                "Leave the files of a catalog alone while a run goes on; then run again.")
        case .linkDied:
            .infrastructure("The link ended during the attempt.", "Read the link's own message; then run again.")
        case .staleServer:
            .infrastructure(
                "A server of another run answered.",
                "End the process that holds the port, or let Headwind choose the port.")
        case .linkBypassed:
            .infrastructure(
                "Bytes reached the client around the link.",
                "Make the client use {proxy}, and serve no absolute addresses that lead elsewhere.")
        default:
            .infrastructure(
                "The attempt was more than 2 % faster than the link allows, so the link was not in force.",
                "Check that the client uses {proxy} and fetches nothing from a cache of its own.")
        }
    }

    private var calibrationRow: Row {
        switch self {
        case .rateOff:
            .infrastructure(
                "The measured rate of the link is not the one that was set.",
                "Run fewer cells in parallel, or on a machine with less load.")
        case .delayOff:
            .infrastructure(
                "The measured delay of the link is not the one that was set.",
                "Run fewer cells in parallel, or on a machine with less load.")
        case .lossOff:
            .infrastructure(
                "The measured loss of the link is not the one that was set.",
                "Run again; if it stays, report it with the results folder.")
        case .linkUnverified:
            .infrastructure(
                "Nothing of the link could be measured, so nobody knows whether it was in force.",
                "Make the downloads larger, so that there is something to measure.")
        default:
            .infrastructure(
                "Measured and set are the same to the last bit, so the measurement is an echo.",
                "Report it with the results folder.")
        }
    }

    private var baselineRow: Row {
        switch self {
        case .baselineFailed:
            .infrastructure(
                "What the client is compared with did not do what was expected, so nothing is known of a shift.",
                "Run what it is compared with by itself, and see why it fails.")
        case .baselineMissing:
            .init(
                subject: .machine, exitCode: 69,
                sentence: "There is nothing of this cell in the baseline that it is to be compared with.",
                remedy: "Make a baseline anew with --save-baseline, where what it is compared with is known to be good."
            )
        default:
            .init(
                subject: .machine, exitCode: 69,
                sentence: "The baseline was measured on another kind of machine, on another link, or with other tools.",
                remedy: "Make a baseline here with --save-baseline, or compare two in one run with --against-client.")
        }
    }

    private var evidenceRow: Row {
        switch self {
        case .faultNotPlayed:
            .infrastructure(
                "A fault of the scenario never met its moment, so nobody knows what the client would have done.",
                "Choose a moment that the download reaches.")
        case .bytesDisagree:
            .infrastructure(
                "Host, link and client do not agree on how many bytes there were.",
                "Check that the client fetches nothing from elsewhere; if not, report it with the results folder.")
        case .attemptLost:
            .infrastructure("There are fewer attempts than were planned.", "Run again.")
        case .metricMissing:
            .infrastructure(
                "A metric that a budget needs was not measured.",
                "Budget what can be seen of this client, or let it tell events (docs/events.md).")
        case .nothingChecked:
            .infrastructure("Nothing was checked.", "Give the scenario an expectation or a budget.")
        case .clockStepped:
            .infrastructure(
                "The times of the timeline contradict each other.",
                "Check that nothing sets the clock or suspends the machine during a run.")
        default:
            .infrastructure(
                "The machine was too busy to measure on, and the attempt could not be repeated in time.",
                "Run fewer cells in parallel, or on a machine with less load.")
        }
    }

    private var runRow: Row {
        switch self {
        case .resultsDiskFull:
            .infrastructure(
                "The results could not be written, because the disk is full.",
                "Make room, or choose another folder by --output.")
        case .resultsNotWritten:
            .infrastructure(
                "The results could not be written, though they could be when the run began.",
                "See what became of the place that the finding names, or choose another one.")
        case .scratchDiskFull:
            .infrastructure(
                "There was no room for packs and stores.", "Make room in the folder for temporary files (TMPDIR).")
        case .resourcesMissing:
            .infrastructure(
                "This process or this machine ran out of file descriptors, threads or memory.",
                "Raise the limit that the finding names, or run fewer cells in parallel.")
        case .unfinished:
            .infrastructure(
                "The run has not come to its end, so this is not the whole result.",
                "Wait for its end; if it was killed, run again. What was finished is in the results.")
        case .deadlineReached:
            .infrastructure(
                "The run's own deadline came before its end, so this is not the whole result.",
                "Give it more time by --deadline, or fewer cells; what was finished is in the results.")
        case .capabilityMissing:
            .init(
                subject: .machine, exitCode: 69,
                sentence: "This machine cannot do what the scenario asks for.",
                remedy: "Do what the finding says, or run it on a machine that can.")
        case .harnessFailed:
            .init(
                subject: .headwind, exitCode: 1, sentence: "Headwind itself failed.",
                remedy: "Report it with the message and the results folder.")
        case .interrupted:
            .init(
                subject: .user, exitCode: 130, sentence: "The run was interrupted.",
                remedy: "Run again; what was finished is in the results.")
        default:
            .init(
                subject: .user, exitCode: 143, sentence: "The run was asked to end (SIGTERM or SIGHUP).",
                remedy: "Run again; what was finished is in the results.")
        }
    }
}

extension Attribution.Row {
    fileprivate static func client(_ sentence: String, _ remedy: String) -> Self {
        .init(subject: .client, exitCode: Verdict.fail.exitCode, sentence: sentence, remedy: remedy)
    }

    fileprivate static func infrastructure(_ sentence: String, _ remedy: String) -> Self {
        .init(
            subject: .infrastructure, exitCode: Verdict.infrastructure.exitCode, sentence: sentence, remedy: remedy)
    }
}
