import Testing

@testable import ResourceLoading

struct ProgressMeterTests {
    private func meter() -> ProgressMeter {
        ProgressMeter(parts: ["a": .init(completed: 0, total: 300), "b": .init(completed: 100, total: 100)])
    }

    @Test func countsBytesOverAllPacks() {
        var meter = meter()
        #expect(meter.reading == .init(fraction: 0.25, completed: 100, total: 400))
        meter.update("a", .init(completed: 100, total: 300))
        #expect(meter.advance() == .init(fraction: 0.5, completed: 200, total: 400))
        #expect(meter.advance() == nil)
    }

    @Test func neverGoesBack() {
        var meter = meter()
        meter.update("a", .init(completed: 200, total: 300))
        _ = meter.advance()
        meter.update("a", .init(completed: 0, total: 300))
        #expect(meter.advance() == nil)
        // If a host corrects a size, the total grows, but the fraction never falls.
        meter.update("a", .init(completed: 200, total: 900))
        #expect(meter.advance() == .init(fraction: 0.75, completed: 300, total: 1000))
    }

    @Test func isCompleteOnlyAfterFinish() {
        var meter = meter()
        meter.update("a", .init(completed: 300, total: 300))
        #expect(meter.advance() == .init(fraction: ProgressMeter.ceiling, completed: 400, total: 400))
        #expect(meter.finish() == .init(fraction: 1, completed: 400, total: 400))
    }

    @Test func overflowingSizesAreTheMaximum() {
        var meter = ProgressMeter(parts: ["a": .init(completed: 0, total: .max), "b": .init(completed: 0, total: .max)])
        meter.update("a", .init(completed: .max, total: .max))
        meter.update("b", .init(completed: .max, total: .max))
        #expect(meter.advance() == .init(fraction: ProgressMeter.ceiling, completed: .max, total: .max))
        #expect(meter.finish().total == .max)
    }

    @Test func withoutPartsStartsAtZero() {
        var meter = ProgressMeter(parts: [:])
        #expect(meter.reading == .init(fraction: 0, completed: 0, total: 0))
        #expect(meter.finish().fraction == 1)
    }

    @Test func ignoresUnknownPacks() {
        var meter = meter()
        meter.update("z", .init(completed: 5, total: 5))
        #expect(meter.advance() == nil)
    }
}
