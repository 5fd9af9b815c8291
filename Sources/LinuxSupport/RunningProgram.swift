import Glibc
package import SystemPackage

/// The program that runs.
package enum RunningProgram {
    /// What names it to the kernel; see proc(5).
    package static let link: FilePath = "/proc/self/exe"

    /// Its file; throws what readlink(2) says where /proc does not tell.
    package static var path: FilePath {
        get throws(Errno) {
            var problem: Errno?
            let bytes = unsafe [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, filled in
                guard let target = buffer.baseAddress else { return }
                let count = unsafe link.withPlatformString { unsafe readlink($0, target, buffer.count) }
                problem = count < 0 ? Errno(rawValue: errno) : nil
                filled = max(count, 0)
            }
            if let problem { throw problem }
            return FilePath(String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
    }

    /// The folder of the programs that it starts; throws as `path` does.
    package static var companions: FilePath {
        get throws(Errno) { companions(of: try path) }
    }

    /// The folder of the programs that a program of Headwind starts: its own, or `libexec/headwind` beside its `bin`, where that
    /// is, as the File System Hierarchy has it for programs that people do not start.
    package static func companions(of program: FilePath) -> FilePath {
        let folder = program.removingLastComponent()
        guard folder.lastComponent == "bin" else { return folder }
        let installed = folder.removingLastComponent().appending("libexec/headwind")
        return unsafe access(installed.string, X_OK) == 0 ? installed : folder
    }
}
