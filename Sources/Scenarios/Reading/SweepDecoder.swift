import Documents
import LinkModel

/// Reads the values of a matrix's key: a list, or numbers in a range.
///
/// `{from: 0 %, to: 100 %, steps: 11}` is 0 %, 10 %, … 100 %. `{from: 1, to: 1000, random: 20, seed: 7}` is 20 random
/// numbers that depend on the seed (default: 1).
struct SweepDecoder {
    let problems: Problems

    private static var seeds: FieldDecoder<Int> { FieldDecoder<Int>.integer("a seed, such as 7", in: 0...Int.max) }

    /// The schema of the values.
    static var schema: JSONTree {
        SchemaNode.any([
            SchemaNode.list("a list of values", of: .object([:])),
            Fields.schema(of: "a range of numbers") { fields in
                _ = fields.required("from", end)
                _ = fields.required("to", end)
                _ = (fields.value("steps", count), fields.value("random", count), fields.value("seed", seeds))
            },
        ])
    }

    private static var end: FieldDecoder<String> { FieldDecoder<String>.text }
    private static var count: FieldDecoder<Int> {
        FieldDecoder<Int>.integer("a number of values, such as 11", in: 2...SchemaNode.mostItems)
    }

    func values(of node: YAMLNode) -> [YAMLNode]? {
        guard case .mapping = node.content else {
            return FieldDecoder.list("a list of values", of: FieldDecoder<YAMLNode>("a value") { node, _ in node })
                .value(of: node, problems)
        }
        return FieldDecoder<[YAMLNode]>.mapping("a range of numbers") { values($0) }.value(of: node, problems)
    }

    private func values(_ fields: Fields) -> [YAMLNode]? {
        let ends = ["from", "to"].map { key in fields.required(key, Self.end).flatMap { quantity($0, key, fields) } }
        let key = fields.exactlyOne(of: ["steps", "random"])
        let (steps, random) = (fields.value("steps", Self.count), fields.value("random", Self.count))
        let seed = fields.value("seed", Self.seeds)
        guard let from = ends[0], let to = ends[1], key != nil, let count = steps ?? random else { return nil }
        guard from.unit == to.unit else {
            fields.refuse(
                "to", "'to' has another unit than 'from'",
                hint: from.unit.isEmpty ? "write both without a unit" : "write both in \(from.unit)")
            return nil
        }
        for (end, key) in [(from, "from"), (to, "to")] where end.unit.isEmpty && end.number.rounded() != end.number {
            fields.refuse(key, "a number without a unit must be whole", hint: "write a whole number")
            return nil
        }
        guard from.number < to.number else {
            fields.refuse("to", "'to' is not above 'from'", hint: "swap them")
            return nil
        }
        if seed != nil, random == nil {
            fields.refuse("seed", "'seed' has no effect without 'random'", hint: "leave it out")
        }
        var generator = SeededGenerator(seed: UInt64(seed ?? 1))
        let numbers = (0..<count).map { index in
            steps == nil
                ? Double.random(in: from.number...to.number, using: &generator)
                : from.number + (to.number - from.number) * Double(index) / Double(count - 1)
        }
        let texts = numbers.map { from.text(of: $0) }
        let different = Set(texts).count
        guard different == count else {
            let key = steps == nil ? "random" : "steps"
            fields.refuse(key, "only \(different) of these numbers differ", hint: "ask for fewer")
            return nil
        }
        return texts.map { YAMLNode(mark: fields.mark, content: .text($0, inset: nil)) }
    }

    private struct Quantity {
        var number: Double
        var unit: String

        /// A number without a unit is whole, as for seeds and counts; others have up to three decimals.
        func text(of number: Double) -> String {
            guard !unit.isEmpty else { return "\(Int64(number.rounded()))" }
            let thousandths = Int64((number * 1000).rounded())
            let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
            var decimals = String(1000 + abs(rest)).dropFirst()
            while decimals.last == "0" { decimals.removeLast() }
            let sign = thousandths < 0 && whole == 0 ? "-" : ""
            return "\(sign)\(whole)\(decimals.isEmpty ? "" : ".\(decimals)") \(unit)"
        }
    }

    private func quantity(_ text: String, _ key: String, _ fields: Fields) -> Quantity? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
        guard let number = Double(digits), abs(number) <= 1e15 else {
            fields.refuse(key, "this is not a number", hint: "write a number with its unit, such as 0 % or 200 ms")
            return nil
        }
        return Quantity(number: number, unit: text.dropFirst(digits.count).drop { $0 == " " }.description)
    }
}
