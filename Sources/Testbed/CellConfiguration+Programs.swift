import Glibc
import SystemPackage

extension CellConfiguration.Programs {
    /// The programs in the directory of the running program.
    static func besideThisProgram() throws(CellError) -> Self {
        let link = FilePath("/proc/self/exe")
        var problem: Errno?
        let bytes = unsafe [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, filled in
            guard let target = buffer.baseAddress else { return }
            let count = unsafe link.withPlatformString { unsafe readlink($0, target, buffer.count) }
            problem = count < 0 ? Errno(rawValue: errno) : nil
            filled = max(count, 0)
        }
        if let problem { throw .noProgram(path: link, problem) }
        let program = FilePath(String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self))
        let directory = program.removingLastComponent()
        return Self(
            initializer: directory.appending("headwind-init"), cell: directory.appending("headwind-cell"))
    }
}
