extension LinkFault {
    /// The line of a schedule that says the same.
    package var change: FaultSchedule.LinkChange {
        let effect: FaultSchedule.LinkChange.Effect =
            switch self.effect {
            case .offline(let kind): .outage(kind)
            case .profile(let profile): .profile(profile.name)
            case .cut: .cut
            case .clientKilled: .clientKilled
            }
        return FaultSchedule.LinkChange(
            effect: effect, after: trigger.event,
            until: until?.event ?? duration.map(FaultSchedule.Event.later))
    }
}

extension LinkFault.Trigger {
    fileprivate var event: FaultSchedule.Event {
        switch self {
        case .time(let time): .time(time)
        case .bytes(let count): .bytes(count.bytes, .downlink)
        case .connectionBytes(let count, let direction, let connection):
            .bytes(count.bytes, direction, connection: connection)
        case .packBytes(let count, let pack): .packBytes(count.bytes, pack: pack)
        case .share(let share, let pack): .packShare(share, pack: pack)
        case .progress(let count): .progress(count)
        }
    }
}
