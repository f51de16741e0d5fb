//! How long reading takes: 10,000 skills, which are those of the corpus of real ones over and
//! over, or where that is not on this machine the starter skills.

use std::{
    env, fs,
    hint::black_box,
    path::{Path, PathBuf},
};

use criterion::{Criterion, criterion_group, criterion_main};

const LIBRARY: usize = 10_000;

fn reading(criterion: &mut Criterion) {
    let skills = skills();
    let library: Vec<_> = skills.iter().cycle().take(LIBRARY).collect();
    let bytes: usize = library.iter().map(|(_, file)| file.len()).sum();
    let mut group = criterion.benchmark_group(format!("{LIBRARY} skills, {} MB", bytes / 1_000_000));
    group.sample_size(10);
    group.bench_function("read", |bencher| {
        bencher.iter(|| {
            for (id, file) in &library {
                black_box(skills::read(id, file));
            }
        });
    });
    group.bench_function(format!("{} of them examined", skills.len()), |bencher| {
        bencher.iter(|| {
            for (id, file) in &skills {
                let skill = skills::read(id, file);
                black_box(skills::examine(&skill, file, &[], &mut |_| None));
            }
        });
    });
    group.finish();
}

/// Real skills: the names of their folders and their bytes.
fn skills() -> Vec<(String, Vec<u8>)> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = env::var_os("SKILLTENDER_CORPUS").map_or_else(|| repository.join("../shared/corpus"), PathBuf::from);
    let mut open = vec![if corpus.is_dir() { corpus } else { repository.join("skills") }];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for entry in fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                open.push(path);
            } else if path.ends_with("SKILL.md") {
                found.push((name.clone(), fs::read(path).expect("the file can be read")));
            }
        }
    }
    found
}

criterion_group!(benches, reading);
criterion_main!(benches);
