// Messages as libnl-route-3 builds them; see https://www.infradead.org/~tgr/libnl/doc/api/.
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/route/class.h>
#include <netlink/route/link.h>
#include <netlink/route/link/veth.h>
#include <netlink/route/qdisc.h>
#include <netlink/route/qdisc/fifo.h>
#include <netlink/route/qdisc/htb.h>
#include <netlink/route/qdisc/netem.h>
#include <netlink/route/qdisc/tbf.h>
#include <netlink/route/tc.h>
