#!/bin/bash
# PostgreSQL's image runs this once, with a new volume: Marshal's role, which owns its database and can do nothing else.
set -eu

psql --username postgres --dbname postgres --no-psqlrc --set ON_ERROR_STOP=1 --set password="$DATABASE_PASSWORD" <<'SQL'
create role marshal login password :'password';
create database marshal owner marshal;
SQL
