import PackFormat
import SystemPackage

@testable import AssetPacks
@testable import LinkModel
@testable import PackHost
@testable import Results
@testable import Scenarios

/// Reads a folder with `scenario.yaml` and `profiles`: every cell is complete, or errors name places in the files.
func fuzzScenario(_ bytes: [UInt8]) throws {
    try InputFolder.with { place in
        try place.write(tree: bytes)
        let library = ProfileLibrary(folder: place.inner.appending("profiles"))
        let file = place.inner.appending("scenario.yaml")
        switch Result(catching: { () throws(InvalidFiles) in try ScenarioLoader(profiles: library).load([file]) }) {
        case .success(let scenarios): try check(scenarios)
        case .failure(let error): try check(error)
        }
    }
}

private func check(_ scenarios: [Scenario]) throws {
    try demand(scenarios.count == 1, "a file has \(scenarios.count) scenarios")
    for cell in scenarios.flatMap(\.cells) {
        try demand(!cell.id.contains("/") && !cell.id.isEmpty, "a cell is called '\(cell.id)'")
        try demand(cell.attempts.min >= 1 && cell.attempts.min <= cell.attempts.max, "a cell is tried never")
        for budget in cell.budgets.map(\.budget) {
            let again = try? Budget(key: budget.key, text: budget.description)
            try demand(again == budget || budget.gating != .blocking, "the budget '\(budget)' is read otherwise")
        }
        try check(cell.link.profile)
    }
}

/// Checks that a profile, written as a file and read again, has the same effect.
private func check(_ profile: Profile) throws {
    try InputFolder.with { place in
        let files = profile.files
        let file = try place.file("\(profile.name).yaml", Array(files.text.utf8))
        for (name, text) in files.traces { _ = try place.file(name, Array(text.utf8)) }
        let again = try require("a profile cannot be read again:\n\(files.text)") {
            try ProfileLibrary(folder: place.inner).profile(file: file)
        }
        try demand(again.fingerprint == profile.fingerprint, "a profile does something else:\n\(files.text)")
    }
}

/// Checks that errors have no control characters, and that their lines and columns begin at 1.
private func check(_ error: InvalidFiles) throws(Finding) {
    try demand(!error.diagnostics.isEmpty, "a file is refused and nothing is wrong")
    for found in error.diagnostics {
        try demand(found.mark.line >= 1 && found.mark.column >= 1, "a place is \(found.mark)")
        try demand(
            found.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control || $0 == "\n" },
            "what is told of a file has a control character")
    }
}

/// Reads a profile's file: it survives a write and a read, or errors name places in it.
func fuzzProfile(_ bytes: [UInt8]) throws {
    try InputFolder.with { place in
        let file = try place.file("p.yaml", bytes)
        let library = ProfileLibrary(folder: place.inner)
        switch Result(catching: { () throws(InvalidFiles) in try library.profile(file: file) }) {
        case .success(let profile): try check(profile)
        case .failure(let error): try check(error)
        }
    }
}

/// Reads a fault schedule: it survives a write and a read, or errors name the wrong lines.
func fuzzSchedule(_ bytes: [UInt8]) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    switch Result(catching: { () throws(FaultScheduleError) in try FaultSchedule(parsing: text) }) {
    case .success(let schedule):
        let written = schedule.text
        let again = try require("a schedule cannot be read again:\n\(written)") { try FaultSchedule(parsing: written) }
        try demand(again == schedule, "a schedule changed when it was written and read:\n\(written)")
        try demand(again.digest == schedule.digest, "a schedule's hash changed")
        let slots = schedule.packetFaults.map(\.slots).reduce(0, +)
        try demand(slots <= FaultSchedule.mostSlots, "a list has \(slots) slots")
    case .failure(let error):
        try demand(!error.problems.isEmpty, "a schedule is refused and nothing is wrong")
        try demand(error.problems.allSatisfy { $0.line >= 1 && $0.column >= 1 }, "a place is before the first")
    }
}

/// Reads values of one line of a scenario: a host's fault, a budget, an expectation.
///
/// A fault and a budget survive a write and a read.
func fuzzNotation(_ bytes: [UInt8]) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    if let fault = try? HostFault(parsing: text) {
        let again = try require("the fault '\(fault.text)' cannot be read again") { try HostFault(parsing: fault.text) }
        try demand(again == fault, "the fault '\(fault.text)' is read otherwise")
    }
    _ = try? Expectation(text)
    guard let colon = text.firstIndex(of: ":") else { return }
    let value = text[text.index(after: colon)...].drop { $0 == " " }
    if let budget = try? Budget(key: String(text[..<colon]), text: String(value)) {
        let again = try require("the budget '\(budget)' cannot be read again") {
            try Budget(key: budget.key, text: budget.description)
        }
        try demand(again == budget, "the budget '\(budget)' is read otherwise")
    }
}

/// Reads a tag file, `tags.json`, or the `Manifest.json` of a pack of Background Assets, in a folder with some files.
///
/// It is a catalog of only these files, or it is refused.
func fuzzCatalog(_ bytes: [UInt8]) throws {
    try InputFolder.with { place in
        let names = ["a.dat", "levels/1.bin", "levels/2.bin"]
        try place.write(tree: Array(names.map { "=== \($0)\nx" }.joined(separator: "\n").utf8))
        let file = try place.file("tags.json", bytes)
        if let catalog = try? Catalog(tagFile: file) {
            let known = Set(names)
            try demand(catalog.resources.allSatisfy { known.contains($0.path) }, "a catalog has files of elsewhere")
        }
        let manifest = try place.file("Manifest.json", bytes)
        guard let managed = try? BackgroundCatalog(manifest) else { return }
        let folder = manifest.removingLastComponent()
        let own = Set((names + ["tags.json", "Manifest.json"]).map { folder.pushing(FilePath($0)).string })
        let sources = managed.packs.flatMap(\.files).map(\.source.string)
        try demand(own.isSuperset(of: sources), "a pack has files of elsewhere")
    }
}

/// Imports a file of the Network Link Conditioner, or a trace of Mahimahi: profiles that can be written, or a refusal.
func fuzzConditioner(_ bytes: [UInt8]) throws {
    let imported: [ImportedProfile] = try InputFolder.with { place in
        let file = try place.file("input", bytes)
        switch Result(catching: { () throws(InvalidFiles) in try ProfileImport(file) }) {
        case .success(.list(let list)): return list.profiles
        case .success(.traces(let downlink, let uplink)):
            return [ProfileImport.profile(downlink: downlink, uplink: uplink, title: "t")]
        case .failure(let error):
            try check(error)
            return []
        }
    }
    for profile in imported.prefix(4) { try check(profile.profile) }
}
