# The complete static program and nothing else: no shell, no libraries, no root.
#   docker build -t credlint .
#   docker run --rm -v "$PWD:/work:ro" credlint
# With a shell, for GitLab jobs and scripts:
#   docker build --target shell -t credlint:shell .

FROM rust:1.95-alpine@sha256:606fd313a0f49743ee2a7bd49a0914bab7deedb12791f3a846a34a4711db7ed2 AS build
ARG TARGETARCH
# This image targets musl, so the program is static. A C compiler links it and builds the cryptography.
RUN apk add --no-cache build-base ca-certificates
WORKDIR /src
COPY Cargo.toml Cargo.lock build.rs README.md ./
COPY build build
COPY src src
COPY docs docs
RUN cargo build --release --locked
# The content of the images. Piped input is kept in /tmp while it is sent.
RUN mkdir -p "/out/$TARGETARCH/usr/bin" "/out/$TARGETARCH/etc/ssl/certs" "/out/$TARGETARCH/tmp" "/out/$TARGETARCH/work" \
    && cp target/release/credlint "/out/$TARGETARCH/usr/bin/credlint" \
    && cp /etc/ssl/certs/ca-certificates.crt "/out/$TARGETARCH/etc/ssl/certs/ca-certificates.crt" \
    && chmod 1777 "/out/$TARGETARCH/tmp"

FROM alpine:3.22@sha256:5291449c3df73caf6ed85e649dec1b9e818b39a5d8c871e97afc13e9cd5e8fa8 AS shell
ARG TARGETARCH
COPY --from=build /out/${TARGETARCH}/ /
USER 65532:65532
WORKDIR /work

FROM scratch
ARG TARGETARCH
COPY --from=build /out/${TARGETARCH}/ /
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/usr/bin/credlint"]
CMD ["check", "."]
