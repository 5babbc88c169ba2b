#!/bin/bash
# Makes Marshal's role and its database on the cluster behind HAProxy, unless they are there.
set -eu

for name in DATABASE_PASSWORD PATRONI_SUPERUSER_PASSWORD PATRONI_REPLICATION_PASSWORD; do
  if [ -z "${!name:-}" ]; then
    echo "$name is not set: write a long random one into .env, such as the output of \"openssl rand -base64 24\"." >&2
    exit 1
  fi
done

export PGHOST="${PGHOST:-haproxy}" PGUSER=postgres PGDATABASE=postgres PGPASSWORD="$PATRONI_SUPERUSER_PASSWORD"
until pg_isready --quiet; do sleep 1; done
psql --no-psqlrc --set ON_ERROR_STOP=1 --set password="$DATABASE_PASSWORD" <<'SQL'
select format('create role marshal login password %L', :'password')
  where not exists (select from pg_roles where rolname = 'marshal') \gexec
select 'create database marshal owner marshal'
  where not exists (select from pg_database where datname = 'marshal') \gexec
SQL
