internal import LinkModel

extension LinkEngine {
    func open(_ connection: Connection, lookup: String?) {
        let key = connection.key.description
        let stream = input { model, now in model.open(key: key, lookup: lookup, at: now) }
        connection.stream = stream
        streams[stream] = connection
        owners[key] = connection.id
    }

    /// Changes the stream of a connection in the model now; does nothing if the connection has none.
    func input(on connection: Connection, _ body: (inout StreamLink, StreamID, Instant) -> Void) {
        guard let stream = connection.stream else { return }
        input { model, now in body(&model, stream, now) }
    }

    func backlog(from end: End, of connection: Connection) -> Int {
        connection.stream.map { model.backlog(from: end, on: $0) } ?? 0
    }

    func rekey(_ connection: Connection) {
        guard let stream = connection.stream else { return }
        let key = connection.key.description
        owners[key] = connection.id
        model.rekey(key, alias: connection.key.alias, on: stream)
    }

    /// The key of a connection that begins with a request.
    func key(for request: FirstRequest, of connection: Connection) -> ConnectionKey {
        keys.key(for: request, order: connection.order)
    }

    /// Removes a connection's stream from the model.
    func forget(_ connection: Connection) {
        guard let stream = connection.stream else { return }
        connection.stream = nil
        streams[stream] = nil
        owners[connection.key.description] = nil
        owners[ConnectionKey.order(connection.order).description] = nil
        model.close(stream)
    }

    func remove(_ connection: Connection) {
        forget(connection)
        connection.door?.connections[connection.id] = nil
        if connections.removeValue(forKey: connection.id) != nil { commons.openConnections -= 1 }
    }

    /// Changes the model now, after it has processed all that was due before.
    func input<Value>(_ body: (inout StreamLink, Instant) -> Value) -> Value {
        let now = self.now
        drain(to: now)
        return body(&model, now)
    }
}
