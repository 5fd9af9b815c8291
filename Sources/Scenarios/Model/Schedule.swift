package import Documents
package import LinkModel

/// A list of faults that every attempt of a cell meets, instead of random ones.
package struct Schedule: Hashable, Sendable {
    package var faults: FaultSchedule
    /// The file with its lines, as the user named it.
    package var file: String
    /// The place of each line, in their order.
    package var marks: [Mark]

    package init(_ faults: FaultSchedule, file: String, marks: [Mark]) {
        precondition(faults.lines.count == marks.count, "every line of a schedule has its place")
        self.faults = faults
        self.file = file
        self.marks = marks
    }

    /// The faults of the host, with their places.
    package var hostFaults: [(fault: FaultSchedule.HostFaultLine, mark: Mark)] {
        zip(faults.lines, marks).compactMap { line, mark in
            if case .host(let fault) = line { (fault, mark) } else { nil }
        }
    }

    /// The changes to the link as a whole, with their places.
    var linkChanges: [(change: FaultSchedule.LinkChange, mark: Mark)] {
        zip(faults.lines, marks).compactMap { line, mark in
            if case .link(let change) = line { (change, mark) } else { nil }
        }
    }
}
