import Foundation
import OnDemandResources

let arguments = CommandLine.arguments
guard arguments.count == 3, let manifest = URL(string: arguments[1]) else {
    print("usage: levels MANIFEST-URL STORE-FOLDER")
    exit(64)
}

// On a device Xcode, the App Store and the system decide where packs come from, and how much room there is.
var source = OnDemandResourcesSource(manifest: manifest, store: URL(fileURLWithPath: arguments[2]))
source.capacity = 330_000
try await Bundle.main.setOnDemandResources(from: source)

let game = Game()
try await game.showMenu()
for level in ["level-1", "level-2", "level-3", "level-9"] { await game.play(level) }
game.end()
await Bundle.main.removeOnDemandResources()
