//! The networks that addresses belong to: what somebody else names may be asked only in a network that is theirs too.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The network that an address belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Net {
    /// The public network.
    Public,
    /// A private network: at home, in a company.
    Private,
    /// This computer.
    Here,
    /// Never one to ask: link-local addresses, where clouds keep their keys, and those of no single machine.
    Never,
}

impl Net {
    /// The network of an address.
    pub fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => net_v4(address),
            IpAddr::V6(address) => net_v6(address),
        }
    }

    /// The network of a host that is written as an IP address, or is this computer by its name; another name has none
    /// before it is resolved.
    pub fn of_host(host: &str) -> Option<Self> {
        let name = host.trim_end_matches('.').to_ascii_lowercase();
        if name == "localhost" || name.ends_with(".localhost") {
            return Some(Self::Here);
        }
        host.trim_start_matches('[').trim_end_matches(']').parse().ok().map(Self::of)
    }

    /// Whether somebody in the network `of` may name an address in this one.
    pub fn may_be_named_in(self, of: Self) -> bool {
        self == Self::Public || self == of && self != Self::Never
    }
}

fn net_v4(address: Ipv4Addr) -> Net {
    let [a, b, ..] = address.octets();
    match (a, b) {
        (127, _) => Net::Here,
        (10, _) | (192, 168) | (172, 16..=31) | (100, 64..=127) => Net::Private,
        (0 | 224.., _) | (169, 254) | (198, 18 | 19) => Net::Never,
        _ => Net::Public,
    }
}

fn net_v6(address: Ipv6Addr) -> Net {
    let [a, b, c, _, _, _, g, h] = address.segments();
    let four = |high: u16, low: u16| net_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 1] => Net::Here,
        // An IPv4 address inside an IPv6 address: mapped, compatible, NAT64, 6to4.
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => four(g, h),
        [0x2002, ..] => four(b, c),
        [0x64, 0xff9b, 1, ..] | [0x2001, 0, ..] => Net::Never,
        _ if a & 0xfe00 == 0xfc00 => Net::Private,
        _ if a & 0xffc0 == 0xfe80 || a & 0xff00 == 0xff00 => Net::Never,
        _ => Net::Public,
    }
}
