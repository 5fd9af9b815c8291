/// Makes a list of causes smaller for as long as its effect stays.
///
/// Delta debugging (A. Zeller and R. Hildebrandt, 2002), which ends when no single element can go: the list is 1-minimal.
package struct Shrinking<Element: Sendable>: Sendable {
    /// Whether a list has the effect as often as the whole one.
    let holds: @Sendable ([Element]) async throws -> Bool

    package init(holds: @escaping @Sendable ([Element]) async throws -> Bool) { self.holds = holds }

    /// A part of the list that has the effect, from which no element can be taken; empty where the effect needs none of them.
    package func minimum(of list: [Element]) async throws -> [Element] {
        var list = list
        var pieces = 2
        while list.count > 1 {
            pieces = min(pieces, list.count)
            let bounds = (0...pieces).map { $0 * list.count / pieces }
            var isSmaller = false
            for piece in 0..<pieces {
                var rest = list
                rest.removeSubrange(bounds[piece]..<bounds[piece + 1])
                guard !rest.isEmpty, try await holds(rest) else { continue }
                list = rest
                pieces = max(2, pieces - 1)
                isSmaller = true
                break
            }
            guard !isSmaller else { continue }
            if pieces == list.count { break }
            pieces = min(list.count, pieces * 2)
        }
        // What happens without any of them is not their doing.
        return list.count == 1 ? try await holds([]) ? [] : list : list
    }
}
