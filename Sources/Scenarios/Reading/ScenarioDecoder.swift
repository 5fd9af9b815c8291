import LinkModel
import PackFormat
import Results
import SystemPackage

/// Reads one cell: a scenario's mapping in which the values of a point of its matrix are set.
struct ScenarioDecoder {
    let context: ScenarioContext

    /// The version of this format.
    ///
    /// A file of a later version is refused. A file without a version has this one.
    static let version = 1

    /// Reads a cell; the matrix gives its id and point.
    func cell(id: String, point: [Cell.Setting]) -> FieldDecoder<Cell> {
        .mapping("a scenario") { fields in
            fields.checkVersion(Self.version, of: "scenarios")
            let title = fields.required("scenario", .text)
            // The matrix has been read before, and its values are set.
            _ = (
                fields.node("matrix", schema: MatrixDecoder.schema),
                fields.node("cells", schema: MatrixDecoder.cellsSchema)
            )
            _ = fields.value("check", ClientCheckDecoder.decoder)
            let content = ContentDecoder(context: context).read(fields)
            let tls = self.tls(fields, content)
            let devices = DeviceDecoder(limits: .standard(for: content?.delivery ?? .onDemandResources))
            let device = fields.value("device", devices.decoder) ?? devices.standard
            let link = fields.required("link", LinkSettingDecoder(context: context).decoder)
            let addresses = AddressesDecoder.read(fields, content, link)
            let workload = fields.required("workload", WorkloadDecoder(context: context).decoder)
            var faults = fields.value("faults", FaultDecoder(context: context).decoder) ?? Faults()
            for fault in faults.host where content?.isOurs == true {
                guard let reason = fault.impossibility(overTLS: tls.isOn, offersHTTP2: tls.http2) else { continue }
                fields.refuse("faults", "no host can play '\(fault.action.kind.rawValue)' here: \(reason)")
            }
            let schedule = schedule(fields, beside: &faults)
            let attempts = fields.value("attempts", AttemptsDecoder.decoder) ?? Attempts(1)
            let budgets =
                fields.value("budgets", BudgetDecoder(attempts: attempts, hasBaseline: context.hasBaseline).decoder)
                ?? []
            let expectations = ExpectationDecoder(workload: workload).read(fields)
            if content?.isOurs == false { checkRemote(faults, schedule, workload, expectations, fields) }
            checkProgram(content, workload, expectations, fields)
            checkIdeal(budgets.map(\.budget), content, workload, fields)
            checkCounts(budgets.map(\.budget), content, fields)
            let bought = fields.value("bought", .list("a list of tags, such as [bonus]", of: .packName)) ?? []
            checkSlice(device, content, fields)
            LifeCheck(fields: fields).check(workload, content, bought: bought, budgets.map(\.budget))
            let manifest = manifest(fields, content, workload)
            let quarantine = fields.value("quarantine", QuarantineDecoder.decoder)
            let patience = fields.value("patience", .positiveDuration) ?? .seconds(60)
            let deadline = fields.value("deadline", .positiveDuration) ?? Cell.leastDeadline
            let idleTimeout = fields.value("idle-timeout", .positiveDuration)
            guard let title, let content, let link, let workload, let expectations else { return nil }
            let cell = Cell(
                id: id, title: title, point: point, content: content, tls: tls.isOn, tlsFault: tls.fault,
                http2: tls.http2, addresses: addresses,
                fetchesManifest: manifest.isFetched, omitted: manifest.omitted, device: device, bought: bought,
                link: link, workload: workload, hostFaults: faults.host, linkFaults: faults.link,
                schedule: schedule, expectations: expectations, budgets: budgets, attempts: attempts,
                quarantine: quarantine, patience: patience, deadline: deadline, idleTimeout: idleTimeout)
            for obstacle in cell.fillsDevice ? cell.obstaclesToFilling : [] {
                fields.refuse(obstacle.key, obstacle.message, hint: obstacle.hint)
            }
            return cell
        }
    }

    /// The schedule; its faults of the link are added to the scenario's.
    private func schedule(_ fields: Fields, beside faults: inout Faults) -> Schedule? {
        guard let schedule = fields.value("schedule", ScheduleDecoder(context: context).decoder),
            let node = fields.node("schedule")
        else { return nil }
        let hint = "a recorded schedule holds them already: leave out 'faults' or those lines"
        if !faults.host.isEmpty, !schedule.hostFaults.isEmpty {
            fields.refuse("schedule", "both 'schedule' and 'faults' have faults of the host", hint: hint)
        }
        if !faults.link.isEmpty, !schedule.linkChanges.isEmpty {
            fields.refuse("schedule", "both 'schedule' and 'faults' have faults of the link", hint: hint)
        }
        faults.link += context.linkFaults(of: schedule, calledBy: node, fields.problems)
        return schedule
    }

    /// How the built-in client gets the manifest, and which packs the manifest omits.
    private func manifest(
        _ fields: Fields, _ content: Content?, _ workload: Workload?
    ) -> (isFetched: Bool, omitted: [String]) {
        let ways = ["bundled", "fetched"]
        let isFetched = fields.value("manifest", .word("a source of the manifest", in: ways)) == "fetched"
        let omitted = fields.value("omitted", .list("a list of packs, such as [red+circle]", of: .packName)) ?? []
        for key in ["manifest", "omitted"] where fields.keys.contains(key) && content?.isOurs == false {
            fields.refuse(key, "'\(key)' is for the manifest of the built-in host", hint: "leave it out")
        }
        if case .command? = workload, fields.keys.contains("manifest") {
            fields.refuse("manifest", "'manifest' is for the built-in client", hint: "pass {manifest} to a command")
        }
        return (isFetched, omitted)
    }

    /// Whether the built-in host uses TLS, what is wrong with it, and whether it offers HTTP/2.
    private func tls(_ fields: Fields, _ content: Content?) -> (isOn: Bool, fault: TLSFault?, http2: Bool) {
        let decoder = FieldDecoder<(isOn: Bool, fault: TLSFault?, http2: Bool)>.either(
            FieldDecoder<Bool>.flag.map { ($0, nil, false) },
            .mapping("TLS with a fault or with HTTP/2") { fields in
                let key = fields.exactlyOne(of: ["fault", "http2"])
                let fault = fields.value("fault", FieldDecoder<TLSFault>.choice("a TLS fault"))
                let http2 = fields.value("http2", .flag)
                return key == nil || fault == nil && http2 == nil ? nil : (true, fault, http2 ?? false)
            })
        guard let tls = fields.value("tls", decoder) else { return (false, nil, false) }
        if content?.isOurs == false {
            fields.refuse("tls", "'tls' is for the built-in host", hint: "the URL says http or https")
        }
        return tls
    }

    /// Checks that a multiple of ideal has a download whose size is known before the run.
    private func checkIdeal(_ budgets: [Budget], _ content: Content?, _ workload: Workload?, _ fields: Fields) {
        guard budgets.contains(where: { $0.bound.basis == .ideal }) else { return }
        guard let why = Cell.whyNoIdeal(content, workload) else { return }
        fields.refuse("budgets", "the ideal time is unknown here: \(why)", hint: "write a fixed limit")
    }

    /// Checks that metrics of the built-in host are only used with that host.
    private func checkCounts(_ budgets: [Budget], _ content: Content?, _ fields: Fields) {
        guard content?.isOurs == false,
            let metric = budgets.map(\.metric).first(where: { $0.definition.source == .host })
        else { return }
        fields.refuse(
            "budgets", "'\(metric.rawValue)' is unknown here: only the built-in host measures it",
            hint: "leave it out")
    }

    /// Notes a device that takes only some variants of asset catalogs, if the packs are already built.
    private func checkSlice(_ device: Device, _ content: Content?, _ fields: Fields) {
        guard let content, device.slice != nil else { return }
        if case .catalog = content { return }
        // An OS that takes only one variant takes built packs unchanged.
        guard device.limits.onlySlice == nil else { return }
        fields.refuse(
            "device", "'idiom' and 'scale' apply when packs are built, but these are already built",
            hint: "leave them out, or write 'catalog:'")
    }

    /// Checks what depends on a program: its networks, its placeholders, and its folder.
    private func checkProgram(
        _ content: Content?, _ workload: Workload?, _ expectations: Expectations?, _ fields: Fields
    ) {
        guard case .command(let command)? = workload else {
            guard case .network? = content, workload != nil else { return }
            let message = "the built-in client downloads packs, but 'network' has none"
            return fields.refuse("workload", message, hint: "write a command")
        }
        if case .network? = content, !command.placeholders.isDisjoint(with: [.url, .manifest]) {
            fields.refuse("workload", "{url} and {manifest} need a host", hint: "write the address itself")
        }
        if command.directory != nil, expectations?.files.isEmpty == false {
            let message = "'files' are checked only in the attempt's own folder"
            fields.refuse("expect", message, hint: "leave out 'files' or the workload's 'directory'")
        }
    }

    /// Notes what a host cannot do that Headwind did not start: it plays no faults, and its packs are unknown before
    /// the run.
    private func checkRemote(
        _ faults: Faults, _ schedule: Schedule?, _ workload: Workload?, _ expectations: Expectations?,
        _ fields: Fields
    ) {
        if !faults.host.isEmpty || schedule?.hostFaults.isEmpty == false {
            let key = faults.host.isEmpty ? "schedule" : "faults"
            fields.refuse(key, "only the built-in host plays faults", hint: "keep only link faults")
        }
        if faults.link.contains(where: { $0.trigger.pack != nil }) {
            let key = schedule?.linkChanges.isEmpty == false ? "schedule" : "faults"
            fields.refuse(key, "the packs of this host are unknown", hint: "write a time, or bytes without a pack")
        }
        if case .command(let command)? = workload, command.pack != nil {
            fields.refuse(
                "workload", "the packs of this host are unknown",
                hint: "leave 'pack' out, and write the URL itself, or {manifest}")
        }
        if expectations?.files.contains(where: { if case .pack = $0.content { true } else { false } }) == true {
            fields.refuse("expect", "the packs of this host are unknown", hint: "write the file's SHA-256")
        }
    }
}

/// Reads `attempts: 5` and `attempts: {min: 5, max: 9}`.
enum AttemptsDecoder {
    static var decoder: FieldDecoder<Attempts> {
        .either(
            number.map { Attempts($0) },
            .mapping("the attempts") { fields in
                let least = fields.required("min", number)
                let most = fields.required("max", number)
                guard let least, let most else { return nil }
                guard least <= most else {
                    fields.refuse("max", "'max' (\(most)) is less than 'min' (\(least))")
                    return nil
                }
                return Attempts(min: least, max: most)
            }
        )
    }

    private static var number: FieldDecoder<Int> { .integer("a number of attempts, such as 5", in: 1...1000) }
}
