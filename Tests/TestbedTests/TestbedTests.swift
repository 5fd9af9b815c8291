import Testing

/// All of these tests create namespaces, and some count those of the whole machine, so they run one at a time.
@Suite(.serialized, .needsRoot, .timeLimit(.minutes(3))) struct TestbedTests {}
