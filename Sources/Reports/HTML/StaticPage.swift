import Results
import Wording

/// The content of a page without JavaScript: the verdict, counts, the failures by cause, and all cells or checks by
/// name.
///
/// The program of the page replaces it.
struct StaticPage {
    var verdict: Verdict?
    /// What the exit code means, as a sentence.
    var meaning: String
    /// The counts by verdict, as text.
    var counts: String
    var isOfCheck = false
    var rows: [PageRow]
    /// A sentence that cells are left out; nil if none is.
    var left: String?

    /// The most rows and failures that are listed: a browser lays out each of them before the program starts.
    private static let mostRows = 500
    private static let mostShown = 5

    /// The content as HTML; every text of the result is escaped.
    var html: String {
        let ranked = rows.enumerated().sorted { one, other in
            let (left, right) = (one.element.order, other.element.order)
            return left == right ? one.offset < other.offset : left < right
        }.map(\.element)
        var html = "<article class=\"overview\">\n<header class=\"band v-\(verdict.pageName)\">"
        html += "<h1>\(verdict.word(ofCheck: isOfCheck))</h1><p>\(meaning.html)</p><p>\(counts.html)</p></header>\n"
        html += failures(ranked)
        html += "<section><h2>\(isOfCheck ? "Checks" : "Cells"), the worst first</h2>\n<table>\n"
        for row in ranked.prefix(Self.mostRows) { html += line(row) }
        html += "</table>\n"
        if ranked.count > Self.mostRows {
            html += "<p class=\"dim\">and \(ranked.count - Self.mostRows) more, which are in summary.md.</p>\n"
        }
        if let left { html += "<p class=\"dim\">\(left.html).</p>\n" }
        return html + "</section>\n</article>\n"
    }

    private func line(_ row: PageRow) -> String {
        let word = row.state.word(ofCheck: isOfCheck) + (row.decides ? "" : ", and does not count")
        let texts = [row.title, row.worst].compactMap { $0 }.map { "<p class=\"dim\">\($0.html)</p>" }.joined()
        return
            "<tr class=\"v-\(row.state.pageName)\"><td><span class=\"pill v-\(row.state.pageName)\">\(word)</span></td>"
            + "<th scope=\"row\">\(row.name.html)</th><td class=\"says\">\(texts)</td></tr>\n"
    }

    private func failures(_ ranked: [PageRow]) -> String {
        let members = ranked.filter(\.decides).flatMap { row in row.failures.map { (row: row, failure: $0) } }
        let groups = members.grouped { _, failure -> String in
            // Checks that fail alike, and whose advice differs, have different causes.
            let isAlike = !isOfCheck || failure.bug != nil
            return ([failure.conclusion] + (isAlike ? [] : failure.advice)).joined(separator: "\n")
        }
        guard !groups.isEmpty else { return "" }
        let cards = groups.prefix(Self.mostRows).map(card)
        return
            "<section><h2>What failed, the worst first</h2>\n<ul class=\"failures\">\n\(cards.joined())</ul></section>\n"
    }

    private func card(_ members: [(row: PageRow, failure: PageRow.Failure)]) -> String {
        let first = members[0]
        let bug = first.failure.bug.map { " <code class=\"bad\">\($0)</code>" } ?? ""
        var html = "<li class=\"failure v-fail\"><h3>\(first.failure.conclusion.html)\(bug)</h3>"
        for (row, failure) in members.prefix(Self.mostShown) {
            html += "<p><strong>\(row.name.html)</strong> \(failure.evidence.html)</p>"
        }
        let rest = members.dropFirst(Self.mostShown).prefix(Self.mostRows).map(\.row.name.html)
        if !rest.isEmpty {
            html += "<p class=\"dim\">and \(members.count - Self.mostShown) more: \(rest.joined(separator: ", "))</p>"
        }
        for advice in first.failure.advice {
            html += "<p class=\"dim\"><strong>A good client:</strong> \(advice.html)</p>"
        }
        if let again = first.row.again { html += "<p>Reproduce it: <code>\(again.html)</code></p>" }
        return html + "</li>\n"
    }
}

extension String {
    /// The text on one line, escaped for HTML, and cut after 1000 characters.
    fileprivate var html: String {
        let line = singleLine
        return (line.count > 1000 ? line.prefix(1000) + "…" : line).xmlEscaped
    }
}
