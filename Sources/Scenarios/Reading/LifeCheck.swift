import Results
import Wording

/// Checks that the steps of an app's life match the rest of the scenario.
struct LifeCheck {
    /// The scenario's keys.
    let fields: Fields

    /// Notes keys that need steps, or a host, that the scenario does not have.
    func check(_ workload: Workload?, _ content: Content?, bought: [String], _ budgets: [Budget]) {
        guard let workload, let content else { return }
        if !workload.updates.isEmpty {
            guard case .catalog = content else {
                let hint = "write 'catalog:' instead of '\(content.isOurs ? "packs" : "host")'"
                return fields.refuse("workload", "an update needs a catalog to start from", hint: hint)
            }
        }
        checkDelivery(workload, content)
        checkPurchases(workload, content, bought)
        checkBudgets(workload, budgets)
    }

    /// Checks that updates deliver packs as the app does, and that only packs of Background Assets are removed.
    private func checkDelivery(_ workload: Workload, _ content: Content) {
        let delivery = content.delivery
        for update in workload.updates where update.delivery != delivery {
            fields.refuse(
                "workload",
                "an update delivers packs by '\(update.delivery.rawValue)', but the app uses '\(delivery.rawValue)'",
                hint: "write both as 'background-assets: …', or neither")
        }
        let removes = workload.steps.contains { if case .remove = $0 { true } else { false } }
        guard removes, delivery == .onDemandResources else { return }
        fields.refuse(
            "workload", "an app can remove only packs of Background Assets: others are purged",
            hint: "leave 'remove' out, or write 'catalog: {background-assets: …}'")
    }

    private func checkPurchases(_ workload: Workload, _ content: Content, _ bought: [String]) {
        let wanted = workload.steps.flatMap { step in if case .buy(let tags) = step { tags } else { [String]() } }
        for tag in wanted where !bought.contains(tag) {
            let hint = NearestName.hint(for: tag, in: bought) ?? "add it: 'bought: [\(tag)]'"
            fields.refuse("workload", "a step buys '\(tag)', which is not in 'bought'", hint: hint)
        }
        if !bought.isEmpty, !content.isOurs {
            fields.refuse("bought", "only the built-in host checks purchases", hint: "leave 'bought' out")
        }
    }

    /// Checks that budgets on uses go with steps that use something.
    private func checkBudgets(_ workload: Workload, _ budgets: [Budget]) {
        for metric in [Metric.waitAtUse, .waitAtUseTotal, .wastedBytes] where !workload.hasUses {
            guard budgets.contains(where: { $0.metric == metric }) else { continue }
            fields.refuse(
                "budgets", "'\(metric.rawValue)' measures uses, but no step uses anything",
                hint: "add a step such as 'use: r1'")
        }
        guard case .command = workload else { return }
        for metric in [Metric.bytesOnWifi, .bytesOnCellular] where budgets.contains(where: { $0.metric == metric }) {
            fields.refuse(
                "budgets", "the radio of a command's bytes is unknown, so '\(metric.rawValue)' is too",
                hint: "budget 'bytes_on_wire'")
        }
    }
}
