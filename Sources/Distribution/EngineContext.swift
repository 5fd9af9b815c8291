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

    package init(
        places: ShardFolder, plan: ShardPlan, programs: EnginePrograms = .here,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.places, self.plan, self.programs, self.note) = (places, plan, programs, note)
    }
}
