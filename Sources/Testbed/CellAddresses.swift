/// The addresses of the two ends of the link, the same in every cell.
package enum CellAddresses {
    package static let clientIPv4 = "10.77.0.2"
    package static let clientIPv6 = "fd77::2"
    package static let hostIPv4 = "10.77.1.2"
    package static let hostIPv6 = "fd77:1::2"
}
