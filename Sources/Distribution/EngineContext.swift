/// What an engine is made of.
package struct EngineContext: Sendable {
    /// Where the shards' files are on this machine.
    package var places: ShardFolder
    /// What is run; its submissions are not looked at.
    package var plan: ShardPlan
    /// Runs the engine's own programs.
    package var programs: EnginePrograms
    /// Told what is worth a line, as sentences.
    package var note: @Sendable (String) -> Void

    /// `programs` are those of PATH by default; GNU parallel keeps what it remembers in the folder of the shards.
    package init(
        places: ShardFolder, plan: ShardPlan, programs: EnginePrograms? = nil,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let home = places.folder.appending("parallel").string
        self.programs = programs ?? .here(setting: ["PARALLEL_HOME": home])
        (self.places, self.plan, self.note) = (places, plan, note)
    }
}
