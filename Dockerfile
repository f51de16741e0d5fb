# The command line alone, for folders of skills that are mounted: docs/containers.md says how to run it.
FROM rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY .cargo .cargo
COPY crates crates
# The engine takes in the entry of the menu and its icon.
COPY icons icons
COPY packaging packaging
# Cargo reads the manifest of every member of the workspace, built or not.
COPY src-tauri src-tauri
COPY tests tests
COPY xtask xtask
RUN cargo build --release --locked --package cli

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /src/target/release/skilltender /usr/local/bin/skilltender
COPY LICENSE LICENSE-APACHE LICENSE-MIT /usr/share/doc/skilltender/
# Nothing is written: the root may be read-only. A container's 127.0.0.1 reaches nobody, so this says where it runs.
ENV HOME=/home/nonroot SKILLTENDER_CONTAINER=1
USER 65532:65532
EXPOSE 8363
ENTRYPOINT ["/usr/local/bin/skilltender"]
CMD ["serve", "--skills-dir", "/skills", "--listen", "0.0.0.0:8363"]
