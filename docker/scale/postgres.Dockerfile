# PostgreSQL with Patroni, which makes one node of several the primary: docker build -f docker/scale/postgres.Dockerfile docker/scale
FROM postgres:18.4-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends patroni python3-etcd && rm -rf /var/lib/apt/lists/* \
  && install -d -o postgres -g postgres /var/lib/patroni
COPY patroni.yaml /etc/patroni.yaml
USER postgres
VOLUME /var/lib/patroni
EXPOSE 5432 8008
STOPSIGNAL SIGTERM
ENTRYPOINT ["patroni", "/etc/patroni.yaml"]
