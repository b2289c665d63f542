# An image with jopt and a JDK: docker build -t jopt . ; then, for example,
# docker run --rm -v "$PWD:/work" jopt -probes=trace.xml app.jar -o probed.jar
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
COPY . /jopt
WORKDIR /jopt
RUN utils/setup --quick && cmake --build build --target packages

FROM ${BASE}
COPY --from=build /jopt/build/packages/jopt_*.deb /tmp/
RUN apt-get update \
  && apt-get install -y --no-install-recommends /tmp/jopt_*.deb default-jdk-headless \
  && rm -rf /tmp/jopt_*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["jopt"]
