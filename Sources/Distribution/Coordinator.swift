/// Runs a plan to its end: submits shards, watches them, submits those that are lost again, and collects what they leave.
package struct Coordinator: Sendable {
    package var engine: any Engine
    package var places: ShardPlaces
    package var plan: ShardPlan

    package init(engine: any Engine, places: ShardPlaces, plan: ShardPlan) {
        (self.engine, self.places, self.plan) = (engine, places, plan)
    }
}
