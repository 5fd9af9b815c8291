extension Sequence<Int64> {
    /// The sum of byte counts; `Int64.max` if it overflows.
    ///
    /// A host may claim any size for a file.
    var clampedSum: Int64 { Int64(clamping: reduce(Int128(0)) { $0 + Int128($1) }) }
}
