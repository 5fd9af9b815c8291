/// Reduces a list of causes while their effect stays.
///
/// Delta debugging (A. Zeller and R. Hildebrandt, 2002). The result is 1-minimal: no single element can be removed.
package struct Shrinking<Element: Sendable>: Sendable {
    /// Whether a list has the effect as often as the whole list.
    let holds: @Sendable ([Element]) async throws -> Bool

    /// How many lists are tried at once.
    let width: Int

    package init(width: Int = 1, holds: @escaping @Sendable ([Element]) async throws -> Bool) {
        (self.width, self.holds) = (width, holds)
    }

    /// A part of the list that has the effect and from which no element can be removed.
    ///
    /// It is empty if the effect occurs without any of the elements.
    package func minimum(of list: [Element]) async throws -> [Element] {
        var list = list
        var pieces = 2
        while list.count > 1 {
            pieces = min(pieces, list.count)
            let bounds = (0...pieces).map { $0 * list.count / pieces }
            let rests = (0..<pieces).map { [list] piece in
                Array(list[..<bounds[piece]] + list[bounds[piece + 1]...])
            }.filter { !$0.isEmpty }
            if let first = try await rests.firstIndex(width: width, where: holds) {
                list = rests[first]
                pieces = max(2, pieces - 1)
                continue
            }
            if pieces == list.count { break }
            pieces = min(list.count, pieces * 2)
        }
        // An effect that occurs without the elements is not caused by them.
        return list.count == 1 ? try await holds([]) ? [] : list : list
    }
}

extension Array where Element: Sendable {
    /// The index of the first element for which `holds` is true, testing `width` elements at once; nil if none.
    func firstIndex(width: Int, where holds: @escaping @Sendable (Element) async throws -> Bool) async throws -> Int? {
        for start in stride(from: 0, to: count, by: Swift.max(1, width)) {
            let found = try await withThrowingTaskGroup(of: Int?.self) { group in
                for index in start..<Swift.min(count, start + Swift.max(1, width)) {
                    let element = self[index]
                    group.addTask { try await holds(element) ? index : nil }
                }
                return try await group.reduce(into: [Int]()) { found, index in
                    if let index { found.append(index) }
                }
            }
            if let first = found.min() { return first }
        }
        return nil
    }
}
