import Foundation
import OnDemandResources
import Synchronization

/// A game whose menu and levels are on-demand resources, one tag each, as in Apple's On-Demand Resources Guide.
final class Game: Sendable {
    /// The requests of the levels that were played; the last one is the current level.
    private let levels = Mutex<[NSBundleResourceRequest]>([])

    init() {
        // The menu is purged after all levels.
        Bundle.main.setPreservationPriority(1, forTags: ["menu"])
        let name = NSNotification.Name.NSBundleResourceRequestLowDiskSpace
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
            self?.giveUpOldLevels()
        }
    }

    /// Shows the menu: without the network if it is on the device, else by an urgent download.
    func showMenu() async throws {
        let request = NSBundleResourceRequest(tags: ["menu"])
        request.loadingPriority = NSBundleResourceRequestLoadingPriorityUrgent
        let isHere = await request.conditionallyBeginAccessingResources()
        print("menu: \(isHere ? "here" : "not here")")
        if !isHere { try await request.beginAccessingResources() }
        print("menu: \(try size(of: "menu")) bytes")
        request.endAccessingResources()
    }

    /// Plays a level, with a progress bar while it loads.
    ///
    /// Tries once more if there was no room, because the app gives up older levels then.
    func play(_ level: String) async {
        for _ in 1...2 {
            let request = NSBundleResourceRequest(tags: [level])
            do {
                try await load(request, level)
                levels.withLock { $0.append(request) }
                print("\(level): \(try size(of: level)) bytes")
                return
            } catch {
                // A request must be ended after an error, too.
                request.endAccessingResources()
                print("\(level): \(explanation(of: error))")
                guard (error as NSError).code == NSBundleOnDemandResourceOutOfSpaceError else { return }
            }
        }
    }

    private func load(_ request: NSBundleResourceRequest, _ level: String) async throws {
        // Foundation on Linux has no key-value observing, so the bar polls the progress.
        let progress = request.progress
        let bar = Task {
            var shares: [Int] = []
            while !Task.isCancelled {
                let share = Int(progress.fractionCompleted * 100)
                if share != shares.last { shares.append(share) }
                try? await Task.sleep(for: .milliseconds(50))
            }
            return shares
        }
        let outcome: Result<Void, any Error> = await withCheckedContinuation { continuation in
            request.beginAccessingResources { error in
                continuation.resume(returning: error.map { .failure($0) } ?? .success(()))
            }
        }
        bar.cancel()
        let shares = await bar.value
        try outcome.get()
        print("\(level): a bar of \(shares.count) pictures, \(shares == shares.sorted() ? "never back" : "BACK")")
    }

    /// Ends all levels but the current one.
    ///
    /// The system may purge resources that no request uses.
    private func giveUpOldLevels() {
        let old = levels.withLock { levels in
            let old = levels.dropLast()
            levels = levels.suffix(1)
            return old
        }
        for request in old {
            request.endAccessingResources()
            print("low on space: gave up \(request.tags.sorted().joined(separator: ", "))")
        }
    }

    /// Ends the game.
    func end() {
        levels.withLock { levels in
            for request in levels { request.endAccessingResources() }
            levels = []
        }
    }

    /// The text that the guide shows to users for an error.
    private func explanation(of error: any Error) -> String {
        switch (error as NSError).code {
        case NSBundleOnDemandResourceOutOfSpaceError: "no room"
        case NSBundleOnDemandResourceExceededMaximumSizeError: "too much is in use"
        case NSBundleOnDemandResourceInvalidTagError: "there is no such level"
        default: "\(error)"
        }
    }

    private func size(of name: String) throws -> Int {
        guard let url = Bundle.main.url(forResource: name, withExtension: "bin", subdirectory: name) else { return 0 }
        return try Data(contentsOf: url).count
    }
}
