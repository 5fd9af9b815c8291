/// The device for which files of asset catalogs are chosen, as App Thinning does.
package struct Slice: Hashable, Sendable {
    /// The idioms of asset catalogs (Asset Catalog Format Reference), by their names in actool's `--target-device`.
    package enum Idiom: String, CaseIterable, Sendable {
        case iphone
        case ipad
        case tv
        case watch
        case mac
        case car
        case vision
    }

    /// The idiom; nil keeps the files of every idiom.
    package var idiom: Idiom?
    /// The scale: 1, 2 or 3; nil keeps the files of every scale.
    package var scale: Int?

    /// A device of an idiom and a scale; without a scale, that of a TV is 1.
    package init(idiom: Idiom?, scale: Int?) {
        self.idiom = idiom
        self.scale = scale ?? (idiom == .tv ? 1 : nil)
    }

    /// Idiom and scale, such as `iphone 3x`; empty for everything.
    package var text: String {
        [idiom?.rawValue, scale.map { "\($0)x" }].compactMap(\.self).joined(separator: " ")
    }

    /// A device by the name of its model, such as `iPhone10,3`; nil for an unknown model.
    package init?(model: String) {
        guard let digit = model.firstIndex(where: \.isNumber) else { return nil }
        let numbers = model[digit...].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let number = numbers[0], let variant = numbers[1], number > 0, variant > 0 else {
            return nil
        }
        switch model[..<digit] {
        case "iPhone": self.init(idiom: .iphone, scale: Self.phoneScale(number, variant))
        case "iPod": self.init(idiom: .iphone, scale: number < 4 ? 1 : 2)
        // iPad 1 and 2, and the first mini.
        case "iPad": self.init(idiom: .ipad, scale: number <= 2 ? 1 : 2)
        // From the 4K model on.
        case "AppleTV": self.init(idiom: .tv, scale: number < 6 ? 1 : 2)
        case "Watch": self.init(idiom: .watch, scale: 2)
        default: return nil
        }
    }

    /// 1 before iPhone 4; 3 for X, XS, Plus, Pro, Max and mini, and for all from iPhone 12 on except SE; else 2.
    private static func phoneScale(_ number: Int, _ variant: Int) -> Int {
        let threefold: [Int: Set<Int>] = [
            7: [1], 8: [2], 9: [2, 4], 10: [2, 3, 5, 6], 11: [2, 4, 6], 12: [3, 5],
        ]
        switch number {
        case ...2: return 1
        case 3...6: return 2
        case 7...12: return threefold[number]?.contains(variant) == true ? 3 : 2
        // SE of 2022.
        case 14 where variant == 6: return 2
        default: return 3
        }
    }
}

extension Limits {
    /// The only slice that devices of these limits take; nil if they take several.
    ///
    /// tvOS took only 1x at first (WWDC 2015 session 214). Limits with changed numbers keep that.
    package var onlySlice: Slice? {
        name.hasPrefix(Limits.tvos2015.name) ? Slice(idiom: .tv, scale: 1) : nil
    }
}
