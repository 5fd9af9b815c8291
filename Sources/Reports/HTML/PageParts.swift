/// The constant parts of every page: its head, its style, its program.
enum PageParts {
    /// The page may not use the network, nor run anything from outside it.
    private static let policy =
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

    /// The parts of the program, in order.
    private static let parts: [[UInt8]] = [
        PackageResources.dom_js, PackageResources.format_js, PackageResources.data_js, PackageResources.filter_js,
        PackageResources.list_js, PackageResources.matrix_js,
        PackageResources.failures_js, PackageResources.overview_js, PackageResources.plot_js, PackageResources.cell_js,
        PackageResources.attempt_js, PackageResources.timeline_js, PackageResources.waterfall_js,
        PackageResources.keys_js,
        PackageResources.main_js,
    ]

    /// The text without JavaScript is inserted before this in the body.
    private static let place = Array("</main>".utf8)

    /// Everything before the data, with the text without JavaScript inserted.
    static func head(_ charts: ChartLibrary?, around text: some Sequence<UInt8>) -> [UInt8] {
        var page = Array(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>Headwind</title>
            <link rel="icon" href="data:,">
            <style>

            """.utf8)
        if let charts { page += charts.style + "\n".utf8 }
        page += PackageResources.base_css + PackageResources.parts_css + PackageResources.narrow_css
        page += PackageResources.print_css
        page += "</style>\n<noscript><style>\n".utf8 + PackageResources.static_css
        page += "</style></noscript>\n</head>\n<body>\n".utf8
        let body = PackageResources.body_html
        let place = body.firstRange(of: place)?.lowerBound ?? body.endIndex
        return page + body[..<place] + text + body[place...]
    }

    /// The program, which shows the data that is there as soon as it is read.
    static func program(_ charts: ChartLibrary?) -> [UInt8] {
        var page: [UInt8] = []
        if let charts { page += "<script>\n".utf8 + charts.program + "\n</script>\n".utf8 }
        page += "<script>\n\"use strict\";\n(() => {\n".utf8
        for part in parts { page += part + "\n".utf8 }
        return page + "})();\n</script>\n".utf8
    }

    static let end = Array("</body>\n</html>\n".utf8)
}
