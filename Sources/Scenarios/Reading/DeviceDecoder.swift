import LinkModel
import PackFormat

/// Reads `device`.
struct DeviceDecoder {
    /// The limits that apply unless the scenario sets others.
    let limits: Limits

    /// The device of a scenario that does not set one.
    var standard: Device {
        Device(
            limits: limits, capacity: ByteCount(512_000_000), storage: nil, radio: .wifi, isCellularAllowed: true)
    }

    var decoder: FieldDecoder<Device> {
        .mapping("a device") { fields in
            let limits = fields.value("limits", chosenLimits)
            let capacity = fields.value("capacity", .size)
            let storage = fields.value("storage", Self.storage)
            let radio = fields.value("radio", FieldDecoder<Device.Radio>.choice("a radio"))
            let isCellularAllowed = fields.value("cellular-allowed", .flag)
            return Device(
                limits: limits ?? standard.limits,
                slice: Self.slice(fields, limits ?? standard.limits),
                capacity: capacity ?? storage ?? standard.capacity,
                storage: storage,
                radio: radio ?? standard.radio,
                isCellularAllowed: isCellularAllowed ?? standard.isCellularAllowed)
        }
    }

    /// The variants of asset catalogs that the device takes: those that the scenario names, or the only one that its OS
    /// takes.
    private static func slice(_ fields: Fields, _ limits: Limits) -> Slice? {
        let idiom = fields.value("idiom", FieldDecoder<Slice.Idiom>.choice("an idiom"))
        let scale = fields.value("scale", scale)
        let slice = idiom == nil && scale == nil ? nil : Slice(idiom: idiom, scale: scale)
        guard let only = limits.onlySlice else { return slice }
        let isOther = idiom ?? only.idiom != only.idiom
        if isOther || scale ?? only.scale != only.scale {
            fields.refuse(
                isOther ? "idiom" : "scale",
                "the device of '\(Limits.tvos2015.name)' is a TV, which takes only 1x content",
                hint: "leave 'idiom' and 'scale' out")
        }
        return only
    }

    /// A scale in the notation of asset catalogs: 1x, 2x or 3x.
    private static var scale: FieldDecoder<Int> {
        let names = ["1x", "2x", "3x"]
        return FieldDecoder<String>.word("a scale", in: names)
            .then { name, _, _ in names.firstIndex(of: name).map { $0 + 1 } }
    }

    /// A size from one page of 4096 bytes, the least that a tmpfs holds, to 1 TiB.
    private static var storage: FieldDecoder<ByteCount> {
        .quantity("a size such as 64 MiB or 2 GB", in: ByteCount(4096)...ByteCount(1 << 40))
    }

    /// A set of limits by name, or one with some numbers changed.
    private var chosenLimits: FieldDecoder<Limits> {
        let base = FieldDecoder<String>.word("the name of a set of limits", in: Limits.all.map(\.name))
            .then { name, _, _ in Limits.named(name) }
        return .either(
            base,
            .mapping("a set of limits") { fields in
                var limits = fields.value("base", base) ?? self.limits
                limits.name += "-changed"
                limits.source += ", changed by the scenario"
                for setting in Limits.Setting.allCases where setting != .packCount {
                    if let size = fields.value(setting.rawValue, .size) { limits[setting] = size.bytes }
                }
                let count = FieldDecoder<Int>.integer("a number of packs", in: 0...1_000_000)
                if let count = fields.value(Limits.Setting.packCount.rawValue, count) {
                    limits[.packCount] = Int64(count)
                }
                return limits
            })
    }
}
