#!/bin/bash
# Starts PostgreSQL's image for docker/compose.yaml, and gives it nothing of .env but the password of Marshal's role.
set -eu

if [ -z "${DATABASE_PASSWORD:-}" ]; then
  echo 'DATABASE_PASSWORD is not set: write a long random one into .env, such as the output of "openssl rand -base64 24".' >&2
  exit 1
fi

# Nobody connects as the superuser from outside; inside of the container, `psql -U postgres` needs no password.
superuser_password=$(head -c 32 /dev/urandom | base64 --wrap=0)

exec env -i PATH="$PATH" LANG="${LANG:-C.UTF-8}" PG_MAJOR="${PG_MAJOR:-}" PGDATA="$PGDATA" \
  POSTGRES_PASSWORD="$superuser_password" \
  POSTGRES_INITDB_ARGS='--locale-provider=builtin --builtin-locale=C.UTF-8 --data-checksums' \
  DATABASE_PASSWORD="$DATABASE_PASSWORD" \
  docker-entrypoint.sh postgres
