extension LinkPage {
    /// The page: each link with its buttons and rates, then the instructions.
    static func html(_ links: [DrivenLink], instructions: String) -> String {
        String(decoding: PackageResources.page_html, as: UTF8.self)
            .replacing("{{links}}", with: links.map(section).joined(separator: "\n"))
            .replacing("{{instructions}}", with: instructions)
    }

    private static func section(_ link: DrivenLink) -> String {
        let profile = link.profile.escapedHTML
        let title = link.title.map { "<h2>\($0.escapedHTML)</h2>\n" } ?? ""
        return """
            <section class="link" data-link="\(link.name.escapedHTML)" data-profile="\(profile)">
            \(title)<p class="now" role="status">The link is <strong class="name">\(profile)</strong>.</p>
            <div class="choices">\(buttons(link))</div>
            <svg class="rates" viewBox="0 0 120 40" preserveAspectRatio="none" role="img" aria-label="The rates of the last minute">\
            <polyline class="down" points=""/><polyline class="up" points=""/></svg>
            <p class="figures"><span class="down">Down <strong class="down-rate">–</strong></span> \
            <span class="up">Up <strong class="up-rate">–</strong></span> <span>Most <strong class="most">–</strong></span></p>
            </section>
            """
    }

    private static func buttons(_ link: DrivenLink) -> String {
        let pressed = link.choices.first { $0.profile == link.profile }
        return link.choices.map { choice in
            """
            <button type="button" value="\(choice.name)" data-profile="\(choice.profile.escapedHTML)" \
            aria-pressed="\(choice == pressed)">\(choice.title.escapedHTML)</button>
            """
        }.joined(separator: "\n")
    }
}

extension String {
    /// The text, escaped for use between tags and in attributes of HTML.
    package var escapedHTML: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
