@testable import Results

extension TimelineTests {
    static func used(_ waits: [Double?]?, wasted: Int64? = nil) -> Observations {
        let life = LifeObservation(waits: waits?.map { $0.map { Int64($0 * 1e9) } }, wastedBytes: wasted)
        return Observations(requests: [], life: life)
    }

    static let life: [Row] = [
        Row("the longest", .waitAtUse, .value(2.5), used([0, 2.5, 1])),
        Row("all together", .waitAtUseTotal, .value(3.5), used([0, 2.5, 1])),
        Row("one never came", .waitAtUse, .neverCame, used([0, nil])),
        Row("one never came, of all", .waitAtUseTotal, .neverCame, used([0, nil])),
        Row("nothing is used", .waitAtUse, .unknown, used(nil)),
        Row("no use was told", .waitAtUse, .unknown, used([])),
        Row("what was for nothing", .wastedBytes, .value(40), used([0], wasted: 40)),
        Row("nobody knows what was for nothing", .wastedBytes, .unknown, used([0])),
        Row("by cellular", .bytesOnCellular, .value(7), .init(requests: [], life: .init(cellularBytes: 7))),
        Row("by Wi-Fi", .bytesOnWifi, .value(8), .init(requests: [], life: .init(wifiBytes: 8, cellularBytes: 7))),
        Row("nobody knows by which", .bytesOnWifi, .unknown, .init(requests: [])),
    ]

    static let all: [Row] = {
        var rows: [Row] = times
        for more: [Row] in [stalls, counts, progress, life] { rows += more }
        return rows
    }()
}
