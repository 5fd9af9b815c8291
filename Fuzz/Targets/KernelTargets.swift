import Glibc

@testable import KernelLink
@testable import Netlink

/// Reads a sequence of netlink messages from the kernel: each is read within its bounds, or ignored.
func fuzzNetlink(_ bytes: [UInt8]) throws {
    let exchange = RouteExchange(first: 1, count: 2)
    var rest = bytes[...]
    var count = 0
    while rest.count >= 4, count < 32 {
        // Each message comes in a buffer of its own, as from libnl. The length in its header may be wrong.
        let length = max(1, min(rest.count, Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8))
        let message = ReceivedBytes(Array(rest.prefix(length)))
        exchange.take(message)
        exchange.finish(message)
        rest = rest.dropFirst(length)
        count += 1
    }
    var traffic: [InstalledTraffic] = []
    for reply in exchange.replies {
        try demand(reply.body.count <= bytes.count, "a reply is longer than what came")
        if let state = InterfaceState(reply) { _ = LinkMark(parsing: state.alias) }
        if let installed = InstalledTraffic(reply) { traffic.append(installed) }
    }
    for installed in traffic {
        _ = (installed.bucketRate, FilterRule(installed)?.bytes, ReplacedQueue(installed, isAlone: true).text)
        if let netem = Netem(installed.options), netem.delay >= 0, (0...Netem.greatestJitter).contains(netem.jitter) {
            let again = Netem(ReceivedBytes(netem.options))
            try demand(again?.limit == netem.limit && again?.loss == netem.loss, "a netem queue is read otherwise")
            let difference = netem.differences(from: ReceivedBytes(netem.options), of: "it")
            try demand(difference.isEmpty, "a netem queue differs from itself: \(difference)")
        }
        let queue = TrafficQueue(.netem(Netem(limit: 1)), handle: installed.handle)
        _ = queue.differences(from: installed)
    }
    _ = ShapeReading(shape: traffic, classes: traffic)
    for outcome in exchange.outcomes {
        guard let outcome, let code = outcome.code else { continue }
        let error = NetlinkError(RequestPurpose("try"), code, words: outcome.words)
        try demand(
            error.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control },
            "a kernel's words have a control character")
    }
}

/// Reads an interface's alias: it is one of Headwind's marks, which survives a write and a read, or it is not.
func fuzzMarks(_ bytes: [UInt8]) throws {
    let text = ReceivedBytes(bytes).text
    if let rules = RuleNote.all([text]) {
        let written = RuleNote.texts(rules)
        try demand(written.allSatisfy { $0.utf8.count <= 255 }, "what is kept of rules is too long")
        try demand(RuleNote.all(written) == rules, "what is kept of rules is read otherwise: \(written)")
    }
    guard let mark = LinkMark(parsing: text) else { return }
    let written = mark.text
    try demand(written.utf8.count <= 255, "a mark has \(written.utf8.count) bytes, and 255 is the most")
    guard let again = LinkMark(parsing: written) else {
        // A profile's name with characters that a mark leaves out cannot be read again.
        return try demand(
            mark.profile?.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 && $0.value != 0x7f } != true,
            "a mark that was written cannot be read: \(written)")
    }
    try demand(again.interface == mark.interface && again.keeper == mark.keeper, "a mark has another keeper")
    try demand(again.since == mark.since && again.until == mark.until, "a mark has other times: \(written)")
    try demand(again.form == mark.form && again.state == mark.state, "a mark has another form: \(written)")
    try demand(again.text == written, "a mark changes each time that it is written")
}
