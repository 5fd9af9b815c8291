import Testing

/// Everything here makes namespaces, and some of it counts those of the whole machine: one at a time.
@Suite(.serialized, .needsRoot, .timeLimit(.minutes(3))) struct TestbedTests {}
