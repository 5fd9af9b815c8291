import Testing

@testable import LinkModel

@Suite(.sideBySide) struct RandomTests {
    /// The first vectors of the authors' reference implementation, for the key 00 to 0f and the message 00, 01, 02 and on.
    @Test(arguments: [
        (0, 0x726f_db47_dd0e_0e31 as UInt64), (1, 0x74f8_39c5_93dc_67fd), (7, 0xab02_00f5_8b01_d137),
        (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5),
    ])
    func `SipHash-2-4 gives its published vectors`(count: Int, hash: UInt64) {
        let message = (0..<count).map { UInt8($0) }
        let found = SipHash.hash(key0: 0x0706_0504_0302_0100, key1: 0x0f0e_0d0c_0b0a_0908, bytes: message)
        #expect(found == hash)
    }

    @Test(arguments: [1_000_000, 10_000_000, 100_000_000, 500_000_000] as [Int64])
    func `random loss keeps to its probability`(parts: Int64) {
        let process = LossProcess(loss: .random(Ratio(partsPerBillion: parts)), random: KeyedRandom(seed: 7))
        let lost = losses(process, count: 100_000)
        let mean = Double(parts) / 1e9 * 100_000
        // Five standard deviations: one in 1.7 million by chance.
        #expect(abs(Double(lost.count) - mean) < 5 * (mean * (1 - Double(parts) / 1e9)).squareRoot())
    }

    @Test func `bursts have the mean and the length of their model`() {
        let model = GilbertElliott(
            goodToBad: Ratio(partsPerBillion: 10_000_000), badToGood: Ratio(partsPerBillion: 250_000_000))
        let lost = losses(LossProcess(loss: .gilbertElliott(model), random: KeyedRandom(seed: 3)), count: 200_000)
        #expect(abs(Double(lost.count) / 200_000 - model.mean) < 0.004)
        let bursts = lost.filter { !lost.contains($0 - 1) }.count
        // A burst lasts for 1 / 25 % packets; a block's edge cuts a few short.
        #expect(abs(Double(lost.count) / Double(bursts) - 4) < 0.4)
    }

    /// A lost place is not lost for good, as each transmission is a packet of its own.
    @Test func `a burst does not lose all transmissions of a place`() {
        let model = GilbertElliott(
            goodToBad: Ratio(partsPerBillion: 10_000_000), badToGood: Ratio(partsPerBillion: 200_000_000))
        let process = LossProcess(loss: .gilbertElliott(model), random: KeyedRandom(seed: 3))
        for slot in losses(process, count: 20_000) {
            let passes = (2...20).contains {
                !process.isLost(.init(stream: 1, direction: .downlink, slot: slot, transmission: $0))
            }
            #expect(passes, "slot \(slot)")
        }
    }

    @Test func `a decision depends on its subject alone`() {
        let process = LossProcess(loss: .random(Ratio(partsPerBillion: 200_000_000)), random: KeyedRandom(seed: 11))
        let whole = losses(process, count: 500)
        #expect(Set((250..<500).filter { isLost(process, Int64($0)) }.map(Int64.init)) == whole.filter { $0 >= 250 })
        let other = LossProcess(loss: .random(Ratio(partsPerBillion: 200_000_000)), random: KeyedRandom(seed: 12))
        #expect(losses(other, count: 500) != whole)
    }

    @Test(arguments: [1, 100, 536, 1448, 1460, 4000] as [Int64])
    func `another segmentation of the same bytes loses the same places`(size: Int64) {
        let process = LossProcess(loss: .random(Ratio(partsPerBillion: 50_000_000)), random: KeyedRandom(seed: 5))
        let slots = losses(process, count: 200)
        let end = 200 * LossProcess.slotBytes
        var places: Set<Int64> = []
        for start in stride(from: 0, to: end, by: Int(size)) {
            let bytes = start..<min(start + size, end)
            guard process.isLost(bytes: bytes, stream: 1, direction: .downlink, transmission: 1) else { continue }
            places.formUnion(slots.filter { bytes.contains($0 * LossProcess.slotBytes) })
        }
        #expect(places == slots)
    }

    /// These packets hold no start of a slot; one of 0 bytes is a FIN.
    @Test(arguments: [0, 1, 100, 700, 1447] as [Int64], [false, true])
    func `small packets are lost as often as others`(size: Int64, inBursts: Bool) {
        let model = GilbertElliott(
            goodToBad: Ratio(partsPerBillion: 50_000_000), badToGood: Ratio(partsPerBillion: 250_000_000))
        let loss = inBursts ? Loss.gilbertElliott(model) : .random(Ratio(partsPerBillion: 150_000_000))
        let mean = inBursts ? model.mean : 0.15
        for (loss, expected) in [(loss, mean), (.random(Ratio(partsPerBillion: 1_000_000_000)), 1)] {
            let process = LossProcess(loss: loss, random: KeyedRandom(seed: 5))
            let lost = (0..<20_000 as Range<Int64>).count { number in
                let start = number * LossProcess.slotBytes + 1
                return process.isLost(bytes: start..<start + size, stream: 1, direction: .uplink, transmission: 1)
            }
            #expect(abs(Double(lost) / 20_000 - expected) < (inBursts ? 0.03 : 0.013), "\(lost) of 20000")
        }
    }

    private func isLost(_ process: LossProcess, _ slot: Int64) -> Bool {
        process.isLost(.init(stream: 1, direction: .downlink, slot: slot, transmission: 1))
    }

    private func losses(_ process: LossProcess, count: Int) -> Set<Int64> {
        Set((0..<Int64(count)).filter { isLost(process, $0) })
    }
}
