import Results

/// The progress that a request reports, and whether it is true.
extension TimelineTests {
    static let full = delivered((1, 250), (2, 500), (3, 750), (4, 1000))

    static let progress: [Row] = [
        Row(
            "first above 0", .timeToFirstProgress, .value(1),
            .init(requests: [request(0, 4, progress: [(0.1, 0), (1, 0.2)])])),
        Row("never told", .timeToFirstProgress, .neverCame, .init(requests: [request(0, 4, progress: [])])),
        Row(
            "nothing to fetch", .progressEndsAtOne, .value(1),
            .init(requests: [request(0, 4, progress: [(4, 1)]), request(5, 6, progress: [], held: 1000)])),
        Row("cannot tell", .timeToFirstProgress, .unknown, .init(requests: [request(0, 4)])),
        Row(
            "rises", .progressMonotonic, .value(1),
            .init(requests: [request(0, 4, progress: [(1, 0.2), (2, 0.2), (3, 1)])])),
        Row("falls", .progressMonotonic, .value(0), .init(requests: [request(0, 4, progress: [(1, 0.5), (2, 0.4)])])),
        Row(
            "is not a number", .progressMonotonic, .value(0),
            .init(requests: [request(0, 4, progress: [(1, .nan), (2, 0.4)])])),
        Row(
            "of each request by itself", .progressMonotonic, .value(1),
            .init(requests: [request(0, 4, progress: [(1, 0.9)]), request(0, 4, progress: [(2, 0.1)])])),
        Row(
            "1 before the callback", .progressEndsAtOne, .value(1),
            .init(requests: [request(0, 4, progress: [(1, 0.5), (4, 1)])])),
        Row(
            "stops short", .progressEndsAtOne, .value(0),
            .init(requests: [request(0, 4, progress: [(1, 0.5), (4, 0.99)])])),
        Row(
            "1 only after the callback", .progressEndsAtOne, .value(0),
            .init(requests: [request(0, 4, progress: [(1, 0.5), (4.1, 1)])])),
        Row("never told", .progressEndsAtOne, .value(0), .init(requests: [request(0, 4, progress: [])])),
        Row("never told", .progressMonotonic, .value(0), .init(requests: [request(0, 4, progress: [])])),
        Row("never told", .progressLastUpdateShare, .neverCame, .init(requests: [request(0, 4, progress: [])])),
        Row(
            "never told", .progressDeviation, .neverCame,
            .init(requests: [request(0, 4, progress: [], deliveries: full)])),
        Row(
            "told of one of two", .progressMonotonic, .value(0),
            .init(requests: [request(0, 4, progress: [(1, 0.5)]), request(5, 9, progress: [])])),
        Row("nothing came", .progressMonotonic, .unknown, .init(requests: [request(0, 4, .error, progress: [])])),
        Row("nothing came", .progressEndsAtOne, .unknown, .init(requests: [request(0, 4, .error, progress: [])])),
        Row(
            "nobody knows whether anything came", .progressMonotonic, .unknown,
            .init(requests: [request(0, 4, progress: [], total: nil)])),
        Row("cannot be told", .progressMonotonic, .unknown, .init(requests: [request(0, 4)])),
        Row(
            "1 in spite of an error", .progressEndsAtOne, .value(0),
            .init(requests: [request(0, 4, .error, progress: [(1, 1)])])),
        Row(
            "an error below 1", .progressEndsAtOne, .value(1),
            .init(requests: [request(0, 4, .error, progress: [(1, 0.9)])])),
        Row(
            "between events", .progressLongestGap, .value(3),
            .init(requests: [request(0, 5, progress: [(1, 0.1), (4, 0.9), (5, 1)])])),
        Row(
            "up to the callback", .progressLongestGap, .value(8), .init(requests: [request(0, 9, progress: [(1, 0.1)])])
        ),
        Row(
            "less what was paused", .progressLongestGap, .value(2),
            .init(requests: [
                request(0, 9, progress: [(1, 0.1), (8, 0.9), (9, 1)], pauses: [(2, 4), (5, 8)])
            ])),
        Row(
            "paused to the end", .progressLongestGap, .value(3),
            .init(requests: [request(0, 9, .error, progress: [(1, 0.1)], pauses: [(4, 20)])])),
        Row("never told", .progressLongestGap, .value(9), .init(requests: [request(0, 9, progress: [])])),
        Row(
            "jumps at the end", .progressLastUpdateShare, .value(0.75),
            .init(requests: [request(0, 5, progress: [(1, 0.25), (4, 1)])])),
        Row(
            "one event is all", .progressLastUpdateShare, .value(1),
            .init(requests: [request(0, 5, progress: [(4, 1)])])),
        Row(
            "exactly what was delivered", .progressDeviation, .value(0),
            .init(requests: [request(0, 4, progress: [(1, 0.25), (2.5, 0.5), (4, 1)], deliveries: full)])),
        Row(
            "a moment early is still true", .progressDeviation, .value(0),
            .init(requests: [request(0, 4, progress: [(0.96, 0.25), (2.04, 0.25)], deliveries: full)])),
        Row(
            "too much", .progressDeviation, .value(0.4),
            .init(requests: [request(0, 4, progress: [(2.5, 0.9)], deliveries: full)])),
        Row(
            "too little", .progressDeviation, .value(0.5),
            .init(requests: [request(0, 4, progress: [(2.5, 0)], deliveries: full)])),
        Row(
            "with what was there before", .progressDeviation, .value(0),
            .init(requests: [request(0, 4, progress: [(0.5, 0.5), (1.5, 0.75)], deliveries: full, held: 500)])),
        Row(
            "is not a number", .progressDeviation, .value(1),
            .init(requests: [request(0, 4, progress: [(2.5, .nan)], deliveries: full)])),
        Row(
            "nothing to compare with", .progressDeviation, .unknown,
            .init(requests: [request(0, 4, progress: [(2.5, 0.5)])])),
        Row(
            "size unknown", .progressDeviation, .unknown,
            .init(requests: [request(0, 4, progress: [(2.5, 0.5)], deliveries: full, total: nil)])),
    ]
}
