extension Sequence<Int64> {
    /// The sum of byte counts; `Int64.max` if it overflows.
    ///
    /// A host may claim any size for a file.
    var clampedSum: Int64 {
        reduce(0) { sum, next in
            let (result, isOver) = sum.addingReportingOverflow(next)
            return isOver ? .max : result
        }
    }
}
