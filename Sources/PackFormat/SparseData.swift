import Glibc
package import SystemPackage

extension FileDescriptor {
    /// The next bytes of a file that are no hole, from `offset` to at most `size`; nil where a hole reaches to its end.
    ///
    /// Where the file system knows of no holes, all is data: lseek(2), SEEK_DATA.
    package func data(from offset: Int64, size: Int64) -> Range<Int64>? {
        // Glibc declares these numbers for GNU programs alone.
        let (seekData, seekHole) = (CInt(3), CInt(4))
        let data = Int64(Glibc.lseek(rawValue, off_t(offset), seekData))
        if data < 0, errno == ENXIO { return nil }
        let start = data < 0 ? offset : data
        let hole = data < 0 ? -1 : Int64(Glibc.lseek(rawValue, off_t(start), seekHole))
        let end = hole < 0 ? size : min(hole, size)
        return start < end ? start..<end : nil
    }
}
