FROM postgres:17-bookworm
RUN apt-get update \
  && apt-get install -y --no-install-recommends patroni python3-etcd \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -m 700 -o postgres -g postgres /var/lib/postgresql/data
COPY tools/cluster/patroni.yml tools/cluster/create-database.sh /etc/patroni/
USER postgres
ENV PATH=/usr/lib/postgresql/17/bin:$PATH
EXPOSE 5432 8008
ENTRYPOINT ["patroni", "/etc/patroni/patroni.yml"]
