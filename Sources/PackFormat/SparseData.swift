import Glibc
package import SystemPackage

extension FileDescriptor {
    /// The next range of data in a file, from `offset` to at most `size`; nil if a hole reaches to its end.
    ///
    /// If the file system does not report holes, everything is data: lseek(2), SEEK_DATA.
    package func data(from offset: Int64, size: Int64) -> Range<Int64>? {
        // Glibc declares these numbers only for GNU programs.
        let (seekData, seekHole) = (CInt(3), CInt(4))
        let data = Int64(Glibc.lseek(rawValue, off_t(offset), seekData))
        if data < 0, errno == ENXIO { return nil }
        let start = data < 0 ? offset : data
        let hole = data < 0 ? -1 : Int64(Glibc.lseek(rawValue, off_t(start), seekHole))
        let end = hole < 0 ? size : min(hole, size)
        return start < end ? start..<end : nil
    }
}
