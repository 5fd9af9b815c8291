/// Why a line of the protocol is refused.
package enum CellLineError: Error, Equatable, CustomStringConvertible {
    case unknownVersion(Int)
    case malformed(start: String)
    case tooLong
    /// It says that more descriptors go with it than came.
    case descriptorsMissing

    package var description: String {
        switch self {
        case .unknownVersion(let version):
            "A message of a cell has version \(version), but only \(CellProtocol.version) is understood. headwind and "
                + "headwind-cell are of different builds: build both again with 'swift build'."
        case .malformed(let start):
            "A message of a cell cannot be understood: \(String(reflecting: start)) …"
        case .tooLong:
            "A message of a cell is longer than \(CellProtocol.longestLine) bytes."
        case .descriptorsMissing:
            "A message of a cell came without its descriptors."
        }
    }
}
