import Foundation

/// Runs the steps of a workload file, one after another (docs/reference/client.md).
final class Workload {
    private let steps: [[String: Any]]
    private let device: Device
    private var requests: [String: Request] = [:]

    private static let keys: [String: Set<String>] = [
        "request": ["background"], "end": ["wait"], "cancel": ["after", "at"], "pause": ["at"], "resume": [],
        "wait": [], "sleep": [], "use": [], "preserve": ["to"], "priority": ["to"],
        "radio": [],
    ]

    /// Reads the steps of a file.
    ///
    /// Throws what is wrong with it.
    static func read(_ path: String) throws -> [[String: Any]] {
        guard let data = FileManager.default.contents(atPath: path),
            let file = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let steps = file["steps"] as? [[String: Any]]
        else { throw Options.Misuse("'\(path)' is not a workload.") }
        for (index, step) in steps.enumerated() {
            let isKnown = keys.contains { key, others in
                step[key] != nil && Set(step.keys).subtracting([key]).isSubset(of: others)
            }
            guard isKnown else { throw Options.Misuse("Step \(index + 1) is none that this client takes.") }
        }
        return steps
    }

    init(_ steps: [[String: Any]], _ device: Device) { (self.steps, self.device) = (steps, device) }

    /// Runs all steps, and returns whether every request became available.
    func run() throws -> Bool {
        for step in steps { try take(step) }
        for request in requests.values { request.waitForCallback() }
        return requests.values.allSatisfy { $0.failure == nil }
    }

    /// Cancels all requests.
    func cancelAll() { for request in requests.values { device.cancel(request) } }

    private func request(_ step: [String: Any], _ key: String) throws -> Request {
        let id = step[key] as? String ?? ""
        guard let request = requests[id] else { throw Options.Misuse("Nobody has requested '\(id)'.") }
        return request
    }

    private static func priority(_ value: Any?) -> Double {
        value is String ? Request.urgent : (value as? NSNumber)?.doubleValue ?? 0.5
    }

    private func take(_ step: [String: Any]) throws {
        func number(_ key: String) -> Double? { (step[key] as? NSNumber)?.doubleValue }
        if let wish = step["request"] as? [String: Any] {
            let id = wish["id"] as? String ?? ""
            let request = device.begin(id, wish["tags"] as? [String] ?? [], Self.priority(wish["priority"]))
            requests[id] = request
            if step["background"] as? Bool != true { request.waitForCallback() }
        } else if step["end"] != nil {
            let request = try request(step, "end")
            if step["wait"] as? Bool != false { request.waitForCallback() }
            device.end(request)
        } else if step["cancel"] != nil {
            let request = try request(step, "cancel")
            wait(for: request, until: number("at"))
            Thread.sleep(forTimeInterval: number("after") ?? 0)
            device.cancel(request)
        } else if step["pause"] != nil {
            let request = try request(step, "pause")
            wait(for: request, until: number("at"))
            device.setPaused(request, true)
        } else if step["resume"] != nil {
            device.setPaused(try request(step, "resume"), false)
        } else if step["wait"] != nil {
            try request(step, "wait").waitForCallback()
        } else if let seconds = number("sleep") {
            Thread.sleep(forTimeInterval: seconds)
        } else if step["use"] != nil {
            use(try request(step, "use"))
        } else if let tags = step["preserve"] as? [String] {
            device.lock.withLock { for tag in tags { device.store.preserved[tag] = number("to") } }
            device.events.tell("preserve", ["tags": tags, "priority": number("to") ?? 0])
        } else if let radio = step["radio"] as? String {
            device.setRadio(radio)
        } else if step["priority"] != nil {
            device.setPriority(try request(step, "priority"), Self.priority(step["to"]))
        }
    }

    /// Waits until a request's progress reaches a share, or it was called back.
    private func wait(for request: Request, until share: Double?) {
        guard let share else { return }
        while device.lock.withLock({ !request.wasTold && request.bar.share < share }) {
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    private func use(_ request: Request) {
        let start = Clock.seconds
        device.events.tell("use", ["id": request.id])
        request.waitForCallback()
        guard request.failure == nil else { return }
        device.events.tell(
            "used", ["id": request.id, "packs": request.packs.map(\.identifier), "waited": Clock.seconds - start])
    }
}
