import Glibc
package import SystemPackage

/// Where the guard's program is.
package enum GuardLocation {
    /// `headwind-guard` in the directory of the running program.
    package static func besideThisProgram() throws(GuardError) -> FilePath {
        let link = FilePath("/proc/self/exe")
        var problem: Errno?
        let bytes = unsafe [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, filled in
            guard let target = buffer.baseAddress else { return }
            let count = unsafe link.withPlatformString { unsafe readlink($0, target, buffer.count) }
            problem = count < 0 ? Errno(rawValue: errno) : nil
            filled = max(count, 0)
        }
        if let problem { throw .noGuard(path: link, problem) }
        let program = FilePath(String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self))
        return program.removingLastComponent().appending("headwind-guard")
    }
}
