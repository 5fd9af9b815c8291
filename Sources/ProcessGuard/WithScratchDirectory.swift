import Glibc
package import SystemPackage

/// Makes a directory, and removes it with everything in it when `body` has returned or thrown.
///
/// The directory has mode 0700. A dedicated guard makes it, and lives as long as it. If this process is killed, the
/// guard removes the directory once the guards of the programs that use it (`GuardedCommand.scratch`) have ended. If
/// that guard is killed too, the next `sweepScratchDirectories` removes it.
///
/// `prefix` begins its name (default: `headwind-`). `guardProgram` is the program `headwind-guard`; the default is the
/// one installed with the running program. Throws what `body` throws, `GuardError`, and `ScratchError`. If `body`
/// throws and the directory cannot be removed, it throws the error of `body`.
package func withScratchDirectory<Value>(
    in parent: FilePath, prefix: String = "headwind-", guardProgram: FilePath? = nil,
    body: (FilePath) async throws -> Value
) async throws -> Value {
    let program = try guardProgram ?? GuardLocation.besideThisProgram()
    let directory = try await ScratchDirectory.make(in: parent, prefix: prefix, program: program)
    let keeper = directory.keeper
    let value: Value
    do {
        value = try await body(directory.path)
    } catch {
        try? directory.remove()
        await keeper?.end()
        throw error
    }
    do {
        try directory.remove()
    } catch {
        await keeper?.end()
        throw error
    }
    await keeper?.end()
    return value
}

/// Removes the scratch directories in `parent` that dead runs have left; returns their paths.
///
/// Call it when a run starts. It touches only directories of this user that have the name of a scratch directory, that
/// have a marker or are empty, and whose users are dead. A directory that cannot be removed is no error: the next sweep
/// tries again. Throws `ScratchError` if `parent` cannot be read.
@discardableResult
package func sweepScratchDirectories(
    in parent: FilePath, prefix: String = "headwind-"
) throws(ScratchError) -> [FilePath] {
    var removed: [FilePath] = []
    for name in try entries(of: parent) where ScratchDirectory.isName(name, prefix: prefix) {
        let path = parent.appending(name)
        if ScratchDirectory.sweep(path) { removed.append(path) }
    }
    return removed
}

/// The names in a directory.
private func entries(of directory: FilePath) throws(ScratchError) -> [String] {
    guard let listing = unsafe directory.withPlatformString({ unsafe opendir($0) }) else {
        throw .notSwept(parent: directory, Errno(rawValue: errno))
    }
    defer { unsafe closedir(listing) }
    var names: [String] = []
    while let entry = unsafe readdir(listing) {
        unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
            unsafe names.append(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
        }
    }
    return names
}

/// Why a scratch directory could not be made or removed.
package enum ScratchError: Error, Equatable, CustomStringConvertible {
    /// No directory could be made.
    case notMade(parent: FilePath, Errno)
    /// A part of it still exists.
    case notRemoved(path: FilePath, Errno)
    /// The parent cannot be searched for leftovers.
    case notSwept(parent: FilePath, Errno)

    package var description: String {
        switch self {
        case .notMade(let parent, let error):
            "Could not make a scratch directory in '\(parent)': \(error). Choose a directory of a local filesystem that "
                + "you may write to, for example by TMPDIR."
        case .notRemoved(let path, let error):
            "Could not remove the scratch directory '\(path)': \(error). Unmount what a program mounted there; the next "
                + "run removes the rest."
        case .notSwept(let parent, let error):
            "Could not look for leftovers of earlier runs in '\(parent)': \(error). Choose a directory that you may "
                + "read, for example by TMPDIR."
        }
    }
}
