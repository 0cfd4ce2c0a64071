# Debian 12 with its PostgreSQL and Patroni, the versions that docs/scaling.md was followed with.
FROM docker.io/library/debian:12-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends postgresql-15 'patroni=3.0.2*' python3-etcd \
  && rm -rf /var/lib/apt/lists/* \
  && pg_dropcluster 15 main \
  && install -d -m 700 -o postgres -g postgres /var/lib/postgresql/data
COPY tools/cluster/patroni.yml tools/cluster/create-database.sh /etc/patroni/
USER postgres
ENV PATH=/usr/lib/postgresql/15/bin:$PATH
EXPOSE 5432 8008
ENTRYPOINT ["patroni", "/etc/patroni/patroni.yml"]
