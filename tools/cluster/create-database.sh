#!/bin/sh
# Creates Tocsin's role and database. Patroni runs this once on the first primary, with its address as argument.
set -eu
psql --dbname="$1" --set=password="$TOCSIN_DB_PASSWORD" --set=ON_ERROR_STOP=1 <<'END'
create role tocsin login createrole password :'password';
create database tocsin owner tocsin;
END
