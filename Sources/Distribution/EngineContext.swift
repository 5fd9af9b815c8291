import ResultFiles
import SystemPackage

/// The inputs of an engine.
package struct EngineContext: Sendable {
    /// The files of the shards on this machine.
    package var places: ShardFolder
    /// The plan to run; its submissions are ignored.
    package var plan: ShardPlan
    /// Runs the engine's own programs.
    package var programs: EnginePrograms
    /// Called with notes for the user, as sentences.
    package var note: @Sendable (String) -> Void

    /// `programs` are those of PATH by default; GNU parallel keeps its state in the folder of the shards.
    package init(
        places: ShardFolder, plan: ShardPlan, programs: EnginePrograms? = nil,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let home = places.folder.appending("parallel").string
        self.programs = programs ?? .here(setting: ["PARALLEL_HOME": home])
        (self.places, self.plan, self.note) = (places.own(plan), plan, note)
    }

    /// Whether it is the last submission of a shard without a whole result.
    func isNeeded(_ shard: Int, _ submission: Submission, of all: [Submission]) -> Bool {
        all.last { $0.shards.contains(shard) } == submission && !places.whole(shard).isFolder
    }

    /// Writes a file in the folder of the shards that no other user can read, and returns its path.
    ///
    /// Throws ``EngineError``.
    func write(_ text: String, as name: String) throws -> FilePath {
        let file = places.folder.appending(name)
        do { try AtomicFile.write(text.utf8, to: file, isPrivate: true) } catch {
            throw EngineError.file(file, reason: "it cannot be written: \(error). Make room.")
        }
        return file
    }
}
