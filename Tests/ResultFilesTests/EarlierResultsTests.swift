import Foundation
import SystemPackage
import Testing

@testable import ResultFiles

/// The files that are removed from a folder of results before its next use.
///
/// HarnessTests has whole runs.
@Suite struct EarlierResultsTests {
    private let ground: Ground
    private let folder: FilePath

    /// Makes the results of a run with one cell, which has left a bundle.
    init() throws {
        ground = try Ground()
        folder = ground.folder.appending("results")
        try ground.results("results", Ground.run([try Ground.cell("b", seconds: 3)]))
        _ = try ground.bundle("results/bundles/b-1")
    }

    private func isThere(_ place: FilePath) -> Bool {
        FileManager.default.fileExists(atPath: place.appending("bundle.json").string)
    }

    /// A result is a file that anybody may have written.
    @Test(arguments: ["bundles/../../keep", "../keep", "/keep", "bundles/x/../../../keep", "keep", "bundles"])
    func onlyFilesInItsOwnFoldersAreRemoved(path: String) throws {
        let bundle = folder.appending("bundles/b-1")
        let kept = [bundle, try ground.bundle("keep"), try ground.bundle("results/keep")]
        let text = try ground.text("results/result.json")
        let changed = text.replacing("\"bundles/b-1\"", with: "\"\(path)\"")
        #expect(changed != text)
        try ground.write("results/result.json", changed)
        EarlierResults(folder: folder).remove()
        for place in kept { #expect(isThere(place), "\(place)") }
        try ground.write("results/result.json", text)
        EarlierResults(folder: folder).remove()
        #expect(kept.map(isThere) == [false, true, true])
    }

    /// The point of a matrix is not in their names.
    @Test func capturesOfACellOfAMatrixAreRemoved() throws {
        var cell = try Ground.cell("c-2")
        cell.point = [.init(axis: "link.seed", value: "2")]
        try ground.results("matrix", Ground.run([cell]))
        try ground.write("matrix/captures/c-2-1.pcapng", "packets")
        EarlierResults(folder: ground.folder.appending("matrix")).remove()
        #expect(!ground.has("matrix/captures"))
    }

    @Test func aLinkIsNotFollowed() throws {
        let (bundles, away) = (folder.appending("bundles").string, ground.folder.appending("away").string)
        try FileManager.default.moveItem(atPath: bundles, toPath: away)
        try FileManager.default.createSymbolicLink(atPath: bundles, withDestinationPath: away)
        let before = try FileManager.default.subpathsOfDirectory(atPath: away)
        EarlierResults(folder: folder).remove()
        #expect(try FileManager.default.subpathsOfDirectory(atPath: away) == before)
    }
}
