extension Attribution {
    /// The line of the table: its subject, the exit code, the sentence and the remedy.
    ///
    /// The list is long because it has exactly one case for each finding.
    package var row: Row {
        switch self {
        case .clientCrashed:
            Row(
                .client,
                "The client crashed: it caused the signal that ended it.",
                "Run the attempt's command in a debugger. The attempt names the signal.",
                advice: ClientReport.Severity.crashes.advice)
        case .clientHung:
            Row(
                .client,
                "The client did not exit, and was stopped.",
                "Find the client's last event in the timeline. A client needs its own time limit.",
                advice: ClientReport.Severity.hangs.advice)
        case .clientFailed:
            Row(
                .client,
                "The client exited with an unexpected status.",
                "Read the end of the client's output, which is in the attempt.")
        case .callbackRepeated:
            Row(
                .client,
                "The client called back more than once for a request.",
                "Find the second callback of the request in the timeline.",
                advice: ClientBug.callsBackTwice.row.advised)
        case .contentWrong:
            Row(
                .client,
                "The client stored something other than what the host serves.",
                "Compare the digests in the attempt. A client must check what it received.",
                advice: ClientReport.Severity.wrongData.advice)
        case .contentIncomplete:
            Row(
                .client,
                "The client reported a pack that had not fully arrived.",
                "Look at the pack's answers in the timeline. A client must compare sizes, and must not use its own cache.",
                causes: [.linkBypassed, .linkDied],
                advice: ClientReport.Severity.wrongData.advice)
        case .clientFlooded:
            Row(
                .client,
                "The client sent too many events.",
                "Let it report progress a few times a second, not for every block.")
        case .requestMisused:
            Row(
                .client,
                "The client called a request's methods in the wrong order, where Apple's class raises an exception.",
                "Find the event `misuse` in the timeline. A request begins once, is called back once, and ends once.")
        case .redirectUnsafe:
            Row(
                .client,
                "The client followed an unsafe redirect.",
                "Look at the requests after the redirect in the timeline: their origin and their credentials.",
                advice: ClientReport.Severity.insecure.advice)
        case .clientNotStarted:
            Row(
                .scenario,
                "The client could not be started.",
                "Name an executable program, as a list: 'command: [./program, …]' is relative to the scenario.")
        case .clientMisused:
            Row(
                .scenario,
                "The client rejected its arguments, or sent no client events.",
                "Correct the command. A program of --client takes headwind-client's command line, and sends its events (docs/reference/client.md)."
            )
        case .faultNotPlayed:
            Row(
                .scenario,
                "A fault of the scenario never happened, so the client's reaction to it is unknown.",
                "Choose a moment that the download reaches, in a pack that the client requests.")
        case .metricMissing:
            Row(
                .scenario,
                "A metric that a budget needs was not measured.",
                "Use a metric that this client has. For progress, describe the command's output ('progress' of a workload), or send events (docs/reference/events.md).",
                causes: [.clientCrashed, .clientHung])
        case .nothingChecked:
            Row(.scenario, "Nothing was checked.", "Give the scenario an expectation or a budget.")
        case .linkBypassed:
            Row(
                .scenario,
                "The client received bytes that did not cross the link.",
                "Make the client use {proxy}, and serve no absolute URLs to other hosts.", causes: [.linkDied])
        case .baselineFailed:
            Row(
                .scenario,
                "The baseline did not meet its expectations, so the comparison says nothing.",
                "Run the baseline alone, and find out why it fails.")
        case .clientKilled:
            Row(
                .infrastructure,
                "A signal that Headwind did not send ended the client. Its sender is unknown.",
                "Check whether the client kills itself. For SIGKILL, look for 'Out of memory' in the kernel's log, and use more memory or fewer cells at once."
            )
        case .eventsMissing:
            Row(
                .infrastructure,
                "The client exited without an event.",
                "Check that nothing else uses the file descriptor for events.", causes: [.clientCrashed, .clientHung])
        case .eventsCut:
            Row(
                .infrastructure,
                "The client's events stop before the last one.",
                "Check that nothing else uses the file descriptor for events, and that the disk is not full.",
                causes: [.clientCrashed, .clientHung])
        case .cellDied:
            Row(.infrastructure, "The networks of the attempt failed.", "Read the sandbox's message, then run again.")
        case .hostDied:
            Row(.infrastructure, "The pack host exited during the attempt.", "Read the host's message, then run again.")
        case .hostFailed:
            Row(
                .infrastructure,
                "The pack host could not serve a pack that its manifest lists.",
                "Do not change the catalog's files during a run. Run again.")
        case .linkDied:
            Row(.infrastructure, "The link failed during the attempt.", "Read the link's message, then run again.")
        case .staleServer:
            Row(
                .infrastructure,
                "A server of another run answered the client.",
                "Stop the process that uses the port, or let Headwind choose the port.")
        case .fasterThanIdeal:
            Row(
                .infrastructure,
                "The attempt was more than 2 % faster than the link allows, so the link was not active.",
                "Check that the client uses {proxy}, and does not use its own cache.")
        case .rateOff:
            Row(
                .infrastructure,
                "The measured rate of the link differs from the configured rate.",
                "Run fewer cells at once, or use a machine with less load.")
        case .delayOff:
            Row(
                .infrastructure,
                "The measured delay of the link differs from the configured delay.",
                "Run fewer cells at once, or use a machine with less load.")
        case .lossOff:
            Row(
                .infrastructure,
                "The measured loss of the link differs from the configured loss.",
                "Run again. If it persists, report it with the results folder.")
        case .linkUnverified:
            Row(
                .infrastructure,
                "The link could not be measured, so it may not have been active.",
                "Make the downloads larger, so that the link can be measured.")
        case .bytesDisagree:
            Row(
                .infrastructure,
                "Host, link and client report different byte counts.",
                "Check that the client downloads from this host only. If it does, report it with the results folder.",
                causes: [.clientCrashed, .clientHung, .linkDied])
        case .attemptLost:
            Row(.infrastructure, "There are fewer attempts than planned.", "Run again.")
        case .clockStepped:
            Row(
                .infrastructure,
                "The times in the timeline contradict each other.",
                "Check that nothing sets the clock or suspends the machine during a run.")
        case .machineNoisy:
            Row(
                .infrastructure,
                "The machine was too busy to measure, and the attempt could not be repeated in time.",
                "Run fewer cells at once, or use a machine with less load.")
        case .resultsDiskFull:
            Row(
                .infrastructure,
                "The results could not be written, because the disk is full.",
                "Make room, or choose another folder by --output.",
                isWorthARetry: false)
        case .resultsNotWritten:
            Row(
                .infrastructure,
                "The results could not be written, although the folder was writable at the start.",
                "Check the place that the finding names, or choose another one.",
                isWorthARetry: false)
        case .scratchDiskFull:
            Row(
                .infrastructure,
                "There was no room for temporary packs and stores.", "Make room in the temporary folder (TMPDIR).",
                isWorthARetry: false)
        case .resourcesMissing:
            Row(
                .infrastructure,
                "This process or this machine ran out of file descriptors, threads or memory.",
                "Raise the limit that the finding names, or run fewer cells at once.")
        case .unfinished:
            Row(
                .infrastructure,
                "The run has not finished, so the result is incomplete.",
                "Wait until it finishes. If it was killed, continue it with 'headwind run --resume FOLDER'.",
                isWorthARetry: false)
        case .deadlineReached:
            Row(
                .infrastructure,
                "The run reached its deadline, so the result is incomplete.",
                "Use a longer --deadline or fewer cells, or continue it with 'headwind run --resume FOLDER'.",
                isWorthARetry: false)
        case .baselineMissing:
            Row(
                .machine,
                "The baseline has no data for this cell.",
                "Make a new baseline with --save-baseline, from a version that is known to be good.")
        case .baselineUnlike:
            Row(
                .machine,
                "The baseline was measured on another kind of machine, on another link, or with other tools.",
                "Make a baseline here with --save-baseline, or compare two clients in one run with --against-client.")
        case .capabilityMissing:
            Row(
                .machine,
                "This machine lacks a capability that the scenario needs.",
                "Follow the finding, or use another machine.")
        case .calibrationNotIndependent:
            Row(
                .headwind,
                "Measured and configured values are identical to the last bit, so nothing was measured.",
                "Report it with the results folder.")
        case .harnessFailed:
            Row(.headwind, "Headwind itself failed.", "Report it with the message and the results folder.")
        case .interrupted:
            Row(.user, "The run was interrupted.", "Continue it with 'headwind run --resume FOLDER', or run again.")
        case .terminated:
            Row(
                .user, exitCode: 143, "The run was terminated (SIGTERM or SIGHUP).",
                "Continue it with 'headwind run --resume FOLDER', or run again.")
        }
    }
}
