import Testing

/// A gateway: behind `wlan0` of a ``LinkNetwork`` are two phones in namespaces of their own, with a bridge instead of
/// the radio.
///
/// The phones are 192.168.1.21 and 22, fd01::21 and 22, with the MAC addresses 02:00:00:00:00:01 and 02. `$P1` and
/// `$P2` run commands on them; from there the machine of `$PEER` can be reached.
enum GatewayNetwork {
    /// Runs a script on the gateway, expects status 0, and returns its output.
    static func told(_ body: String, user: String = "") async throws -> String {
        try await LinkNetwork.told(prelude + body, user: user, files: files)
    }

    private static let prelude = """
        place() {
            unshare --net sleep 600 & new=$!
            while [ "$(readlink /proc/$new/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done
        }
        place; radio=$new; RADIO="nsenter --target $radio --net"
        $RADIO ip link add air type bridge mcast_snooping 0
        $RADIO ip link set air up
        ip link add wlan0 type veth peer name ap netns $radio
        ip addr add 192.168.1.1/24 dev wlan0
        ip addr add fd01::1/64 dev wlan0 nodad
        ip link set wlan0 up
        $RADIO ip link set ap master air up
        for n in 1 2; do
            place; phone="nsenter --target $new --net"
            $RADIO ip link add p$n type veth peer name wlan address 02:00:00:00:00:0$n netns $new
            $RADIO ip link set p$n master air up
            $phone ip addr add 192.168.1.2$n/24 dev wlan
            $phone ip addr add fd01::2$n/64 dev wlan nodad
            $phone ip link set lo up
            $phone ip link set wlan up
            $phone ip route add default via 192.168.1.1
            $phone ip -6 route add default via fd01::1
            eval "P$n='$phone'"
        done
        echo 1 > /proc/sys/net/ipv4/ip_forward
        echo 1 > /proc/sys/net/ipv6/conf/all/forwarding
        $PEER ip route add 192.168.1.0/24 via 10.9.0.1
        $PEER ip -6 route add fd01::/64 via fd09::1
        state() {
            ip -o link show | sed 's/ state [A-Z]*//; s/<[^>]*>//' | cut -d' ' -f2-
            tc qdisc show
            for dev in eth0 wlan0; do tc filter show dev $dev; tc filter show dev $dev ingress; done
        }
        state > before
        for way in 192.168.1.1 fd01::1; do
            for phone in "$P1" "$P2"; do $phone ping -c 1 -W 5 $way > /dev/null || echo "no way to $way"; done
        done

        """

    private static let files = [
        "phone.yaml": """
        profile: phone
        source: a test
        downlink: {rate: 1 Mbit/s}
        uplink: {rate: 500 kbit/s}

        """,
        "silent.yaml": """
        profile: silent
        source: a test
        offline: silent

        """,
        "open.yaml": """
        profile: open
        source: a test

        """,
    ]
}
