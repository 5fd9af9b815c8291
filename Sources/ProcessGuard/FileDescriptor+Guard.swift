import Glibc
import SystemPackage

extension FileDescriptor {
    /// Makes reads throw `Errno.wouldBlock` rather than wait.
    func setNonBlocking() throws(Errno) {
        guard fcntl(rawValue, F_SETFL, O_NONBLOCK) >= 0 else { throw Errno(rawValue: errno) }
    }

    /// Locks the file, exclusively or shared; throws `Errno.wouldBlock` if another lock prevents it.
    ///
    /// See flock(2).
    func lock(shared: Bool) throws(Errno) {
        while flock(rawValue, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            let error = Errno(rawValue: errno)
            guard error == .interrupted else { throw error }
        }
    }

    /// Reads the available bytes, at most `count`; empty at the end, `nil` if there are none yet.
    func readAvailable(_ count: Int) throws(Errno) -> [UInt8]? {
        var problem: Errno?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let result = unsafe Glibc.read(rawValue, buffer.baseAddress, buffer.count)
            filled = max(result, 0)
            problem = result < 0 ? Errno(rawValue: errno) : nil
        }
        switch problem {
        case nil: return bytes
        case .wouldBlock, .interrupted: return nil
        case .some(let error): throw error
        }
    }
}
