package import Events
import PackFormat
import Synchronization

// What happens on a device besides requests: installs, purchases, changes of the network.
extension ResourceLoader {
    /// Tells the observer of something in the app's life, in its order among all events.
    package func tell(_ kind: ClientEvent.Kind, _ fill: (inout ClientEvent) -> Void) { queue.emit(kind, fill) }

    /// What comes with the app and after it; nil where there is no catalog.
    package func installPlan() async -> InstallPlan? {
        let known = state.withLock { state -> ResourceCatalog? in
            if case .known(let catalog) = state.catalog { catalog } else { nil }
        }
        if let known { return known.installPlan }
        guard let catalog = try? await fetchCatalog() else { return nil }
        state.withLock { state in
            if case .unknown = state.catalog { state.catalog = .known(catalog) }
        }
        return catalog.installPlan
    }

    /// Gives the device another network.
    ///
    /// What downloads begins anew there where it had come to, as connections end with their network. Where the app may
    /// not use the new one, requests that wait for packs are called back with the reason.
    package func setRadio(_ radio: LoaderConfiguration.Radio) {
        state.withLock { state in
            guard state.radio != radio else { return }
            state.radio = radio
            tell(.radio) { $0.radio = radio.rawValue }
            guard let refusal = configuration.networkRefusal(on: radio) else {
                return perform(state.ledger.startOver(), &state)
            }
            for key in state.open.keys.sorted() where state.open[key]?.callback != nil {
                fail(key, refusal, &state)
                perform(state.ledger.end(key), &state)
            }
        }
    }

    /// Shows the host from now on that these tags were bought.
    package func buy(_ tags: [String]) {
        state.withLock { $0.receipts += tags.map(Self.receipt(for:)) }
        tell(.buy) { $0.tags = tags }
    }

    /// The header field that says that a tag was bought.
    package static func receipt(for tag: String) -> String {
        "\(PurchaseReceipt.field): \(PurchaseReceipt.value(for: tag))"
    }

    /// Why an app cannot be installed with these packs; nil where it can.
    ///
    /// Over a cellular network the store's ceiling counts what there is to fetch, the app itself with it.
    func installError(_ packs: [CatalogPack], _ state: LoaderState) -> ResourceError? {
        let limits = configuration.limits
        let bytes = packs.map(\.storedSize).clampedSum
        if let limit = limits.initialInstall, bytes > limit {
            return .exceededMaximumSize(
                """
                The initial install has \(bytes) bytes, over the limit of \(limit) ('\(limits.name)'). Give some of \
                its tags to the prefetched ones.
                """)
        }
        let missing = packs.filter { store.storedPack($0.identifier, $0.edition) == nil }.map(\.storedSize).clampedSum
        let whole = [missing, configuration.appSize].clampedSum
        guard state.radio == .cellular, let ceiling = limits.cellularInstall, whole > ceiling else { return nil }
        let parts = configuration.appSize > 0 ? " (\(configuration.appSize) of the app itself)" : ""
        let text = """
            Could not install the app: \(whole) bytes are to be fetched\(parts), over the \(ceiling) that may be over a \
            cellular network ('\(limits.name)'). Install it over Wi-Fi, or make the initial install smaller.
            """
        return ResourceError(domain: .url, code: -1020, kind: .network, message: text)
    }

    /// The packs that a request waits for or pins, sorted.
    package func packs(of key: RequestKey) -> [String] {
        state.withLock { state in
            state.ledger.holders.first { $0.key == key.value }?.packs.sorted() ?? []
        }
    }

    /// Packs that requests of the app's own pin or wait for: what is prefetched is not in use.
    func wantedForUse(_ state: LoaderState) -> Set<String> {
        state.ledger.holders.filter { state.open[$0.key]?.purpose == .use }.reduce(into: []) { $0.formUnion($1.packs) }
    }
}
