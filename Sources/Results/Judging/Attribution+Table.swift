extension Attribution {
    /// The line of the table: whom it is about, the exit code, the sentence and the remedy.
    ///
    /// One case a finding, and no other: the list is as long as there are findings.
    package var row: Row {
        switch self {
        case .clientCrashed:
            Row(
                .client,
                "The client was ended by a signal of its own making.",
                "Run the attempt's command again under a debugger; the signal is in the attempt.",
                advice: ClientReport.Severity.crashes.advice)
        case .clientHung:
            Row(
                .client,
                "The client did not end by itself, and was stopped.",
                "Look in the timeline for the last event of the client; a client needs a time limit of its own.",
                advice: ClientReport.Severity.hangs.advice)
        case .clientFailed:
            Row(
                .client,
                "The client ended with a status that was not expected.",
                "Read the end of the client's own output, which is in the attempt.")
        case .callbackRepeated:
            Row(
                .client,
                "A request was called back more than once.",
                "Look in the timeline for the second callback of the request.",
                advice: ClientBug.callsBackTwice.row.advised)
        case .contentWrong:
            Row(
                .client,
                "What the client stored is not what the host serves.",
                "Compare the digests in the attempt; a client must check what it received.",
                advice: ClientReport.Severity.wrongData.advice)
        case .contentIncomplete:
            Row(
                .client,
                "The client said that it has a pack, of which less reached it.",
                "Look in the timeline at the answers for the pack; a client must compare what it received with what was "
                    + "announced, and must bring no cache along.", causes: [.linkBypassed, .linkDied],
                advice: ClientReport.Severity.wrongData.advice)
        case .clientFlooded:
            Row(
                .client,
                "The client told more events than anybody keeps.",
                "Let it tell its progress some times a second, and not with every block.")
        case .requestMisused:
            Row(
                .client,
                "The client broke the order of a request's calls, for which Apple's class raises an exception.",
                "Look in the timeline for the event `misuse`: a request is begun once, called back, and ended once.")
        case .redirectUnsafe:
            Row(
                .client,
                "The client followed a redirect that gives away what it must keep.",
                "Look in the timeline at the requests behind the redirect: their origin, and the credentials that they have.",
                advice: ClientReport.Severity.insecure.advice)
        case .clientNotStarted:
            Row(
                .scenario,
                "The client could not be started.",
                "Write a program that exists and may be executed, as a list: 'command: [./program, …]' is looked for beside the "
                    + "scenario.")
        case .clientMisused:
            Row(
                .scenario,
                "The client refused its arguments, or told none of the events of a client.",
                "Correct the command; what --client names takes the command line of headwind-client of the same version, and tells "
                    + "its events (docs/client.md).")
        case .faultNotPlayed:
            Row(
                .scenario,
                "A fault of the scenario never met its moment, so what the client would have done is unknown.",
                "Choose a moment that the download reaches, of a pack that is asked for.")
        case .metricMissing:
            Row(
                .scenario,
                "A metric that a budget needs was not measured.",
                "Budget what can be seen of this client. For progress, say how a command tells it ('progress' of a workload), or let "
                    + "it tell events (docs/events.md).", causes: [.clientCrashed, .clientHung])
        case .nothingChecked:
            Row(
                .scenario, "Nothing was checked.", "Give the scenario an expectation or a budget.")
        case .linkBypassed:
            Row(
                .scenario,
                "Bytes reached the client around the link.",
                "Make the client use {proxy}, and serve no absolute addresses that lead elsewhere.", causes: [.linkDied]
            )
        case .baselineFailed:
            Row(
                .scenario,
                "What the client is compared with did not do what was expected, so nothing is known of a shift.",
                "Run what it is compared with by itself, and see why it fails.")
        case .clientKilled:
            Row(
                .infrastructure,
                "The client was ended by a signal that Headwind did not send; who sent it is not known.",
                "See whether the client kills itself; for SIGKILL look in the kernel's log for 'Out of memory', and give the "
                    + "run more memory or fewer parallel cells.", isWorthARetry: true)
        case .eventsMissing:
            Row(
                .infrastructure,
                "The client ended and told no event.",
                "Check that nothing else takes the descriptor of its events.", causes: [.clientCrashed, .clientHung],
                isWorthARetry: true)
        case .eventsCut:
            Row(
                .infrastructure,
                "The client's events stop before the last one.",
                "Check that nothing else takes the descriptor of its events, and that the disk is not full.",
                causes: [.clientCrashed, .clientHung], isWorthARetry: true)
        case .cellDied:
            Row(
                .infrastructure,
                "The networks of the attempt could not be kept up.", "Read what the sandbox says; then run again.",
                isWorthARetry: true)
        case .hostDied:
            Row(
                .infrastructure,
                "The pack host ended during the attempt.", "Read the host's own message; then run again.",
                isWorthARetry: true)
        case .hostFailed:
            Row(
                .infrastructure,
                "The pack host could not serve what it had listed.",
                "Leave the files of a catalog alone while a run goes on; then run again.", isWorthARetry: true)
        case .linkDied:
            Row(
                .infrastructure, "The link ended during the attempt.", "Read the link's own message; then run again.",
                isWorthARetry: true)
        case .staleServer:
            Row(
                .infrastructure,
                "A server of another run answered.",
                "End the process that holds the port, or let Headwind choose the port.", isWorthARetry: true)
        case .fasterThanIdeal:
            Row(
                .infrastructure,
                "The attempt was more than 2 % faster than the link allows, so the link was not in force.",
                "Check that the client uses {proxy} and fetches nothing from a cache of its own.", isWorthARetry: true)
        case .rateOff:
            Row(
                .infrastructure,
                "The measured rate of the link is not the one that was set.",
                "Run fewer cells in parallel, or on a machine with less load.", isWorthARetry: true)
        case .delayOff:
            Row(
                .infrastructure,
                "The measured delay of the link is not the one that was set.",
                "Run fewer cells in parallel, or on a machine with less load.", isWorthARetry: true)
        case .lossOff:
            Row(
                .infrastructure,
                "The measured loss of the link is not the one that was set.",
                "Run again; if it stays, report it with the results folder.", isWorthARetry: true)
        case .linkUnverified:
            Row(
                .infrastructure,
                "Nothing of the link could be measured, so nobody knows whether it was in force.",
                "Make the downloads larger, so that there is something to measure.", isWorthARetry: true)
        case .bytesDisagree:
            Row(
                .infrastructure,
                "Host, link and client do not agree on how many bytes there were.",
                "Check that the client fetches nothing from elsewhere; if not, report it with the results folder.",
                causes: [.clientCrashed, .clientHung, .linkDied], isWorthARetry: true)
        case .attemptLost:
            Row(
                .infrastructure, "There are fewer attempts than were planned.", "Run again.", isWorthARetry: true)
        case .clockStepped:
            Row(
                .infrastructure,
                "The times of the timeline contradict each other.",
                "Check that nothing sets the clock or suspends the machine during a run.", isWorthARetry: true)
        case .machineNoisy:
            Row(
                .infrastructure,
                "The machine was too busy to measure on, and the attempt could not be repeated in time.",
                "Run fewer cells in parallel, or on a machine with less load.", isWorthARetry: true)
        case .resultsDiskFull:
            Row(
                .infrastructure,
                "The results could not be written, because the disk is full.",
                "Make room, or choose another folder by --output.")
        case .resultsNotWritten:
            Row(
                .infrastructure,
                "The results could not be written, though they could be when the run began.",
                "See what became of the place that the finding names, or choose another one.")
        case .scratchDiskFull:
            Row(
                .infrastructure,
                "There was no room for packs and stores.", "Make room in the folder for temporary files (TMPDIR).")
        case .resourcesMissing:
            Row(
                .infrastructure,
                "This process or this machine ran out of file descriptors, threads or memory.",
                "Raise the limit that the finding names, or run fewer cells in parallel.", isWorthARetry: true)
        case .unfinished:
            Row(
                .infrastructure,
                "The run has not come to its end, so this is not the whole result.",
                "Wait for its end; if it was killed, run again. What was finished is in the results.")
        case .deadlineReached:
            Row(
                .infrastructure,
                "The run's own deadline came before its end, so this is not the whole result.",
                "Give it more time by --deadline, or fewer cells; what was finished is in the results.")
        case .baselineMissing:
            Row(
                .machine,
                "There is nothing of this cell in the baseline that it is to be compared with.",
                "Make a baseline anew with --save-baseline, where what it is compared with is known to be good."
            )
        case .baselineUnlike:
            Row(
                .machine,
                "The baseline was measured on another kind of machine, on another link, or with other tools.",
                "Make a baseline here with --save-baseline, or compare two in one run with --against-client.")
        case .capabilityMissing:
            Row(
                .machine,
                "This machine cannot do what the scenario asks for.",
                "Do what the finding says, or run it on a machine that can.")
        case .calibrationNotIndependent:
            Row(
                .headwind,
                "Measured and set are the same to the last bit, so the measurement is an echo.",
                "Report it with the results folder.")
        case .harnessFailed:
            Row(.headwind, "Headwind itself failed.", "Report it with the message and the results folder.")
        case .interrupted:
            Row(
                .user, exitCode: 130, "The run was interrupted.", "Run again; what was finished is in the results.")
        case .terminated:
            Row(
                .user, exitCode: 143, "The run was asked to end (SIGTERM or SIGHUP).",
                "Run again; what was finished is in the results.")
        }
    }
}
