extension Observations {
    /// The time from the first begin to the first body byte; never came if there was none.
    var timeToFirstByte: Sample {
        guard let deliveries, start != nil else { return .unknown }
        guard let first = deliveries.first(where: { $0.totalBytes > 0 }) else { return .neverCame }
        return seconds(to: first.at).map(Sample.value) ?? .unknown
    }

    /// The time from the first begin to the last callback; never came unless every request became available.
    var timeToAvailable: Sample {
        guard !requests.isEmpty, !requests.contains(where: { $0.result == .unknown }) else { return .unknown }
        guard requests.allSatisfy({ $0.result == .available }) else { return .neverCame }
        return requests.map(\.endedAt).max().flatMap(seconds(to:)).map(Sample.value) ?? .unknown
    }

    /// The time from the first begin to the first callback with an error; never came if there was none.
    var timeToError: Sample {
        guard !requests.isEmpty, !requests.contains(where: { $0.result == .unknown }) else { return .unknown }
        let errors = requests.filter { $0.result == .error }
        return errors.map(\.endedAt).min().flatMap(seconds(to:)).map(Sample.value) ?? .neverCame
    }

    /// Body bits delivered per second from the first begin to the last byte; 0 if no byte came.
    var throughput: Double? {
        guard let last = deliveries?.last else { return deliveries == nil ? nil : 0 }
        guard last.totalBytes > 0 else { return 0 }
        let arrival = deliveries?.first { $0.totalBytes == last.totalBytes }?.at ?? last.at
        guard let taken = seconds(to: arrival), taken > 0 else { return nil }
        return Double(last.totalBytes) * 8 / taken
    }

    /// The longest time without a byte while a request was open, in seconds.
    ///
    /// In each stretch in which a request was open, gaps between two deliveries count, and so does the gap from the
    /// last delivery to the end of a request that did not become available. The wait for the first byte of a stretch
    /// does not count, because that is the time to first byte. A stretch without a byte and without success is one
    /// stall. Time in which every open request was paused is left out.
    var longestStall: Double? {
        guard let deliveries, !requests.isEmpty else { return nil }
        let arrivals = Self.arrivals(deliveries)
        let gaps = Self.stretches(requests).map { stretch -> Double in
            let within = arrivals.filter { stretch.times.contains($0) }
            var points = within.isEmpty && !stretch.isSuccess ? [stretch.times.lowerBound] : within
            if !stretch.isSuccess { points.append(stretch.times.upperBound) }
            return zip(points, points.dropFirst()).map { awake(from: $0, to: $1) }.max() ?? 0
        }
        return gaps.max()
    }

    /// The seconds between two moments of a stretch, without those in which every open request was paused.
    private func awake(from start: Int64, to end: Int64) -> Double {
        guard requests.contains(where: { !$0.pauses.isEmpty }) else { return Self.seconds(from: start, to: end) }
        let edges = requests.flatMap {
            [$0.beganAt, $0.endedAt] + $0.pauses.flatMap { [$0.lowerBound, $0.upperBound] }
        }
        let moments = Set(edges + [start, end]).filter { $0 >= start && $0 <= end }.sorted()
        return zip(moments, moments.dropFirst()).map { from, to in
            let middle = from + (to - from) / 2
            let isAwake = requests.contains { request in
                (request.beganAt...max(request.beganAt, request.endedAt)).contains(middle)
                    && !request.pauses.contains { $0.contains(middle) }
            }
            return isAwake ? Self.seconds(from: from, to: to) : 0
        }.reduce(0, +)
    }

    /// The moments at which the count of bytes rose.
    private static func arrivals(_ deliveries: [DeliverySample]) -> [Int64] {
        var count: Int64 = 0
        return deliveries.compactMap { sample in
            defer { count = max(count, sample.totalBytes) }
            return sample.totalBytes > count ? sample.at : nil
        }
    }

    /// The times in which at least one request was open without interruption.
    private static func stretches(
        _ requests: [RequestObservation]
    ) -> [(times: ClosedRange<Int64>, isSuccess: Bool)] {
        let open = requests.filter { $0.endedAt >= $0.beganAt }.sorted { $0.beganAt < $1.beganAt }
        return open.reduce(into: []) { stretches, request in
            let isSuccess = request.result == .available
            guard let last = stretches.last, request.beganAt <= last.times.upperBound else {
                stretches.append((request.beganAt...request.endedAt, isSuccess))
                return
            }
            let end = max(last.times.upperBound, request.endedAt)
            stretches[stretches.count - 1] = (last.times.lowerBound...end, last.isSuccess && isSuccess)
        }
    }

    /// Body bytes of good answers beyond the distinct bytes of each pack.
    ///
    /// Bodies of errors do not count, because the host causes them.
    var redundantBytes: Int64? {
        guard let fetches else { return nil }
        let good = fetches.filter { ($0.status == 200 || $0.status == 206) && $0.length > 0 }
        let distinct = good.grouped(by: \.pack).map { same in
            same.map { $0.from..<($0.from + $0.length) }.distinctCount
        }
        return good.map(\.length).reduce(0, +) - distinct.reduce(0, +)
    }

    /// The number of requests that follow a failed one for the same pack, one for each failed one.
    ///
    /// Parallel requests for parts of a pack are no retries.
    var retries: Int? {
        guard let fetches else { return nil }
        var owed: [String: Int] = [:]
        var retries = 0
        for fetch in fetches.sorted(by: { $0.at < $1.at }) {
            if let count = owed[fetch.pack], count > 0 {
                owed[fetch.pack] = count - 1
                retries += 1
            }
            if fetch.hasFailed { owed[fetch.pack, default: 0] += 1 }
        }
        return retries
    }
}
