//! Writes that are killed, or get errors, at every system call.

use tests::able::has;

use super::{
    each,
    write::{Call, KINDS, Kind, NEW, OLD, Stage, calls, write_with},
};

const NEEDED: &[&str] = &["strace", "setfacl", "setfattr"];

/// Every call of every kind of write.
fn all() -> Vec<(Kind, Call)> {
    KINDS.iter().flat_map(|kind| calls(*kind).into_iter().map(|call| (*kind, call))).collect()
}

#[test]
#[ignore = "takes a while: `cargo xtask test` runs it"]
fn killed_at_any_call_a_write_leaves_a_whole_file_and_nothing_beside_it_after_the_next_start() {
    if !has(NEEDED) {
        return;
    }
    each(&all(), |(kind, call)| {
        let case = format!("{kind:?}, killed at {}", call.line);
        let stage = Stage::new(*kind);
        let answer = write_with(&stage, call, "signal=KILL");
        assert_ne!(answer.code, Some(0), "{case}: it was not killed");
        let holds = stage.holds();
        assert!([kind.before(), kind.after()].contains(&holds.as_deref()), "{case}: {holds:?}");
        stage.recovers(&case);
        assert_eq!(stage.holds(), holds, "{case}: recovering writes nothing");
        assert!(holds.is_none() || stage.is_carried(), "{case}: what belongs to the file");
    });
}

/// The errors that a system call may return. Other calls only query, or are left alone.
fn errors(name: &str) -> &'static [&'static str] {
    match name {
        "open" | "openat" => &["ENOSPC", "EIO", "EACCES", "EROFS"],
        "write" | "fallocate" => &["ENOSPC", "EIO"],
        "fsync" | "ftruncate" => &["EIO", "ENOSPC"],
        "rename" | "renameat" | "renameat2" => &["EXDEV", "EIO", "ENOSPC", "EACCES", "EROFS", "EBUSY"],
        "unlink" | "fchmod" | "fsetxattr" | "fremovexattr" | "fchown" | "chmod" => &["EACCES", "EROFS", "EIO"],
        "mkdir" => &["ENOSPC", "EACCES", "EROFS"],
        "flock" | "fcntl" => &["ENOLCK", "EINVAL"],
        "read" | "statx" | "fstat" | "flistxattr" | "fgetxattr" | "readlink" | "lseek" | "ioctl" => &["EIO"],
        _ => &[],
    }
}

#[test]
#[ignore = "takes a while: `cargo xtask test` runs it"]
fn an_error_of_any_call_is_overcome_or_becomes_a_sentence_and_the_file_stays_whole() {
    if !has(NEEDED) {
        return;
    }
    let mut cases = Vec::new();
    for (kind, call) in all() {
        let mut injected: Vec<_> = errors(&call.name).iter().map(|error| format!("error={error}")).collect();
        if call.name == "write" && call.line.contains("theirs") {
            // The system reports one byte written, but writes none.
            injected.push("retval=1".to_owned());
        }
        cases.extend(injected.into_iter().map(|injected| (kind, call.clone(), injected)));
    }
    each(&cases, |(kind, call, injected)| {
        let case = format!("{kind:?}, {injected} at {}", call.line);
        let stage = Stage::new(*kind);
        let answer = write_with(&stage, call, injected);
        let expected = match answer.code {
            Some(0) => kind.after(),
            Some(1) => {
                assert!(answer.said.ends_with('.') && answer.said.contains(' '), "{case}: {answer:?}");
                kind.before()
            }
            _ => panic!("{case}: {answer:?}"),
        };
        assert_eq!(stage.holds().as_deref(), expected, "{case}: {answer:?}");
        assert!(expected.is_none() || stage.is_carried(), "{case}: what belongs to the file");
        assert_eq!(stage.beside().len(), 0, "{case}: {answer:?}, {:?}", stage.beside());
        stage.recovers(&case);
    });
}

#[test]
#[ignore = "needs strace: `cargo xtask test` runs it"]
fn a_file_system_that_cannot_exchange_and_knows_no_leases_is_written_all_the_same() {
    if !has(NEEDED) {
        return;
    }
    for kind in KINDS {
        let stage = Stage::new(kind);
        let old = ["-e", "inject=renameat2:error=EINVAL", "-e", "inject=fcntl:error=EINVAL"];
        let output = stage.under_strace(&stage.trace(), old).output().unwrap();
        assert!(output.status.success(), "{kind:?}: {output:?}");
        assert_eq!(stage.holds().as_deref(), kind.after(), "{kind:?}");
        assert!(stage.holds().is_none() || stage.is_carried());
        assert_eq!(stage.beside().len(), 0);
        stage.recovers(&format!("{kind:?}"));
    }
    assert_ne!(OLD, NEW);
}
