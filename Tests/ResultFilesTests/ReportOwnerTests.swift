import Foundation
import Results
import SystemPackage
import Testing

@testable import ResultFiles

/// Files that a folder for results already contains when a run begins.
@Suite struct ReportOwnerTests {
    private static let names = [
        "result.json", "junit.xml", "summary.md", "metrics.txt", "report.html", "events.jsonl",
    ]

    private let ground: Ground
    private let folder: FilePath

    init() throws {
        ground = try Ground()
        folder = ground.folder.appending("results")
    }

    private func run() throws { try ground.results("results", Ground.run([try Ground.cell("a")])) }

    private var foreign: [String] { ReportOwner(folder: folder).foreignNames }

    @Test func anyRemainsOfARunAreReplaced() throws {
        try run()
        #expect(foreign.isEmpty)
        var whole: [String: Data] = [:]
        for name in Self.names {
            let data = try Data(contentsOf: URL(filePath: folder.appending(name).string))
            #expect(!data.isEmpty, "\(name)")
            whole[name] = data
        }
        for count in [0, 1, 5, 20, 60, 150, 600] {
            for (name, data) in whole { try ground.write("results/\(name)", data.prefix(count)) }
            #expect(foreign.isEmpty, "\(count) bytes")
        }
        for name in Self.names { try ground.write("results/\(name)", [UInt8](repeating: 0, count: 5000)) }
        #expect(foreign.isEmpty)
        try run()
    }

    /// Before any attempt: results of an empty run, and of runs with another order of keys.
    @Test(arguments: [
        "{\n  \"cells\" : [\n\n  ],\n  \"command_line\" : []}", #"{"schema_version":0,"tool_version":"0","cells":[]}"#,
        #"{"tool_version": "0.0.1", "x": "\#(String(repeating: "x", count: 9000))", "schema_version": 7, "cells": []}"#,
    ])
    func resultsOfOtherVersionsAreHeadwinds(text: String) throws {
        try ground.write("results/result.json", Array(text.utf8))
        #expect(foreign.isEmpty)
    }

    @Test(arguments: 1...TimelineEvent.currentSchema)
    func eventsOfThisAndEarlierVersionsAreHeadwinds(version: Int) throws {
        try ground.write("results/events.jsonl", Array(#"{"v":\#(version),"t":5,"source":"link"}"#.utf8))
        #expect(foreign.isEmpty)
    }

    @Test(arguments: [
        ("result.json", "{}"), ("result.json", "[1]"), ("result.json", #"{"cells": [{"cell_type": "code"}]}"#),
        ("result.json", #"{"schema_version": 1, "tool_version": "3"}"#), ("result.json", "mine"),
        ("junit.xml", "<testsuites name=\"mine\"/>"), ("summary.md", "# Summary\n"), ("metrics.txt", "up 1\n"),
        ("report.html", "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Mine</title>"),
        ("events.jsonl", #"{"event":"mine"}"#),
    ])
    func foreignFilesAreRefusedAndKept(name: String, text: String) throws {
        try ground.write("results/\(name)", Array(text.utf8))
        try ground.write("results/bundles/mine.txt", Array("mine".utf8))
        let error = #expect(throws: ResultFileError.self) { try run() }
        #expect(error == .foreignFiles(folder, names: [name]))
        #expect(error?.description.contains("'\(name)' in it does not look like a file of Headwind's") == true)
        #expect(try String(contentsOfFile: folder.appending(name).string, encoding: .utf8) == text)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.string)
        #expect(Set(left) == [name, "bundles"])
    }

    /// Links and folders are not checked, as they are written through, or refused elsewhere.
    @Test func onlyRegularFilesAreChecked() throws {
        try ground.write("mine", Array("mine".utf8))
        try ground.write("results/other.txt", Array("mine".utf8))
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: folder.appending("events.jsonl").string, withDestinationPath: ground.folder.appending("mine").string
        )
        try manager.createSymbolicLink(
            atPath: folder.appending("junit.xml").string, withDestinationPath: "/dev/null")
        try manager.createSymbolicLink(atPath: folder.appending("summary.md").string, withDestinationPath: "nowhere")
        try manager.createDirectory(atPath: folder.appending("metrics.txt").string, withIntermediateDirectories: true)
        #expect(foreign.isEmpty)
    }
}
