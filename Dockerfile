# A static program and nothing else: no shell, no libraries, no root.
#   docker build -t credlint .
#   docker run --rm -v "$PWD:/work:ro" credlint check --no-resolve
# It checks and can't upload: that would need certificates and a resolver, which this image does not have.

FROM rust:1.95-alpine AS build
# The target of this image is musl, so what is built is static. The C compiler links it.
RUN apk add --no-cache musl-dev
WORKDIR /src
COPY Cargo.toml Cargo.lock README.md ./
COPY src src
COPY docs docs
RUN cargo build --release --locked --no-default-features --features cli

FROM scratch
COPY --from=build /src/target/release/credlint /credlint
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/credlint"]
CMD ["check"]
