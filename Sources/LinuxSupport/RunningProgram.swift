import Glibc
package import SystemPackage

/// The program that runs.
package enum RunningProgram {
    /// The kernel's link to its file; see proc(5).
    package static let link: FilePath = "/proc/self/exe"

    /// Its file; throws the error of readlink(2) if /proc does not name it.
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

    /// The folder of the programs that it starts; throws what `path` throws.
    package static var companions: FilePath {
        get throws(Errno) { companions(of: try path) }
    }

    /// The folder of the programs that a program of Headwind starts.
    ///
    /// `libexec/headwind` next to its `bin` if that exists, or else its own folder. The File System Hierarchy keeps
    /// programs in libexec that people do not start.
    package static func companions(of program: FilePath) -> FilePath {
        let folder = program.removingLastComponent()
        guard folder.lastComponent == "bin" else { return folder }
        let installed = folder.removingLastComponent().appending("libexec/headwind")
        return unsafe access(installed.string, X_OK) == 0 ? installed : folder
    }
}
