//! Returns the pages of programs and libraries to the system that were needed only for a moment, such as a window.
//!
//! They are copies of files in the system's cache: whoever runs such code again gets the page from there. Until then it
//! counts to this process, and the system keeps it longer than pages that nobody has mapped.

#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "the loader tells its libraries through a C function only")
)]

/// Returns the code and the constants of this program and its libraries.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    loaded::give_back();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod loaded {
    use std::{collections::BTreeMap, ffi::c_void, fs, ptr, slice, sync::Mutex};

    /// What the loader's walk through its libraries works on.
    struct Walk {
        /// Where mappings begin and end that are as their files are.
        unchanged: BTreeMap<usize, usize>,
        page: usize,
        given_back: usize,
    }

    /// Held by the one that gives back.
    static TURN: Mutex<()> = Mutex::new(());

    pub(super) fn give_back() -> usize {
        let Ok(_turn) = TURN.try_lock() else { return 0 };
        let Ok(maps) = fs::read_to_string("/proc/self/smaps") else { return 0 };
        let page = rustix::param::page_size();
        let mut walk = Walk { unchanged: unchanged(&maps), page, given_back: 0 };
        // SAFETY: `visit` has the type that the loader calls, and `walk` outlives the call. Until it returns, no library
        // is loaded or unloaded.
        unsafe { libc::dl_iterate_phdr(Some(visit), ptr::from_mut(&mut walk).cast::<c_void>()) };
        tracing::debug!("{} kB of programs and libraries were given back", walk.given_back / 1024);
        walk.given_back
    }

    /// Where the mappings of files begin that nobody may write to, and that differ in no page from their files.
    fn unchanged(maps: &str) -> BTreeMap<usize, usize> {
        let (mut found, mut last) = (BTreeMap::new(), None);
        for line in maps.lines() {
            let mut words = line.split_ascii_whitespace();
            let Some(first) = words.next() else { continue };
            if first == "Anonymous:" {
                let is_none = words.next() == Some("0");
                found.extend(last.take().filter(|_| is_none));
            } else if let Some((start, end)) = first.split_once('-') {
                let rights = words.next().unwrap_or_default();
                let is_file = words.nth(3).is_some_and(|path| path.starts_with('/'));
                let is_private = rights.ends_with('p') && !rights.contains('w');
                let place = |number| usize::from_str_radix(number, 16).ok();
                last = place(start).zip(place(end)).filter(|_| is_file && is_private);
            }
        }
        found
    }

    /// Gives back the parts of one library that are loaded without the right to write.
    unsafe extern "C" fn visit(library: *mut libc::dl_phdr_info, _: usize, walk: *mut c_void) -> libc::c_int {
        // SAFETY: both are what the loader was given or gives, for this call only.
        let (library, walk) = unsafe { (&*library, &mut *walk.cast::<Walk>()) };
        if library.dlpi_phdr.is_null() {
            return 0;
        }
        // SAFETY: the loader gives as many headers as it says.
        let parts = unsafe { slice::from_raw_parts(library.dlpi_phdr, usize::from(library.dlpi_phnum)) };
        for part in parts {
            if part.p_type != libc::PT_LOAD || part.p_flags & libc::PF_W != 0 {
                continue;
            }
            let (Ok(base), Ok(offset), Ok(size)) =
                (usize::try_from(library.dlpi_addr), usize::try_from(part.p_vaddr), usize::try_from(part.p_memsz))
            else {
                continue;
            };
            let start = base.wrapping_add(offset) & !(walk.page - 1);
            let Some(&mapped) = walk.unchanged.get(&start) else { continue };
            // The loader may have made a part of it a mapping of its own.
            let length = base.wrapping_add(offset).wrapping_add(size).min(mapped) - start;
            // SAFETY: the mapping is private, is not writable, had no page that differs from its file, and stays while
            // the loader walks: the next look at a page reads the same bytes from the file. A library that was loaded in
            // this place since is one that this loader needs not change: code for 64 bits has no relocations in itself.
            let done = unsafe { libc::madvise(ptr::with_exposed_provenance_mut(start), length, libc::MADV_DONTNEED) };
            if done == 0 {
                walk.given_back += length;
            }
        }
        0
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn only_mappings_of_files_that_are_as_their_files_are_are_given_back() {
            let map = |start: &str, rights: &str, path: &str, anonymous: &str| {
                format!(
                    "{start}-7fffffff0000 {rights} 00001000 fd:01 123 {path}\nRss: 8 kB\nAnonymous: {anonymous} kB\nVmFlags: rd mr\n"
                )
            };
            let maps = [
                map("1000", "r-xp", "/usr/lib/libwebkit.so", "0"),
                map("2000", "r--p", "/usr/lib/libwebkit.so", "4"),
                map("3000", "rw-p", "/usr/lib/libwebkit.so", "0"),
                map("4000", "r--s", "/usr/share/icons.cache", "0"),
                map("5000", "r-xp", "[vdso]", "0"),
                map("6000", "r--p", "", "0"),
                map("7000", "r--p", "/usr/lib/a b.so", "0"),
            ]
            .concat();
            assert_eq!(unchanged(&maps), BTreeMap::from([(0x1000, 0x7fff_ffff_0000), (0x7000, 0x7fff_ffff_0000)]));
        }

        #[test]
        fn a_program_that_has_given_its_code_back_runs_on() {
            let words = ["given", "back"].map(str::to_owned);
            assert!(super::give_back() > 0);
            assert_eq!(words.join(" "), "given back");
            assert!(super::give_back() > 0, "it was read again");
        }
    }
}
