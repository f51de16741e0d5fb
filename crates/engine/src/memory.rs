//! Memory that was needed for a moment goes back to the system.

#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "glibc takes this wish through a C function only")
)]

/// Pieces of at least so many bytes are asked from the system one by one, and given back when they are free. Without this
/// wish glibc raises that limit to 32 MiB as soon as something large was freed, and each thread then keeps some of them:
/// a few large answers one after the other cost three times what one costs.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 1 << 20;

/// Wishes for it, once and for the whole process.
pub(crate) fn give_back_large_pieces() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::sync::Once;

        static WISHED: Once = Once::new();
        WISHED.call_once(|| {
            // SAFETY: both arguments are plain numbers, and the function may be called at any time.
            let done = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
            if done == 0 {
                tracing::debug!("the allocator keeps large pieces of memory");
            }
        });
    }
}
