extension Sequence<Int64> {
    /// The sum of numbers of bytes; where that cannot be counted, the most that can.
    ///
    /// A host may say of a file that it has any number of bytes.
    var clampedSum: Int64 {
        reduce(0) { sum, next in
            let (result, isOver) = sum.addingReportingOverflow(next)
            return isOver ? .max : result
        }
    }
}
