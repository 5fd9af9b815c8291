// Sockets for the kernel's networks, by libnl-3, and the constants of their messages; see rtnetlink(7).
#include <linux/fib_rules.h>
#include <linux/gen_stats.h>
#include <linux/if_addr.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/tc_act/tc_mirred.h>
#include <linux/veth.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

// Of Linux 6.6; older headers do not have it.
enum { HEADWIND_TCA_NETEM_PRNG_SEED = 14 };
