-- +goose Up
-- Running instances on their way from one version of a process to another. Status: 1 running, 2 done, 3 stopped.
-- passed is the last instance that was looked at; they are taken in the order of their ids.
CREATE TABLE bpm_migration (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  process_key TEXT NOT NULL, name TEXT NOT NULL, source_id TEXT NOT NULL, source_version INTEGER NOT NULL, target_id TEXT NOT NULL, target_version INTEGER NOT NULL,
  element_map TEXT NOT NULL DEFAULT '{}', recompute BOOLEAN NOT NULL DEFAULT false, reason TEXT NOT NULL,
  status INTEGER NOT NULL, total INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, passed TEXT NOT NULL DEFAULT '',
  user_id BIGINT NOT NULL, create_time BIGINT NOT NULL, end_time BIGINT NOT NULL DEFAULT 0);
CREATE INDEX ix_bpm_migration_page ON bpm_migration (tenant_id, id);
CREATE UNIQUE INDEX uk_bpm_migration_running ON bpm_migration (tenant_id, source_id) WHERE status = 1;

-- What became of each instance; problems is empty for one that was migrated.
CREATE TABLE bpm_migration_item (
  tenant_id BIGINT NOT NULL, migration_id BIGINT NOT NULL, instance_id TEXT NOT NULL,
  problems TEXT NOT NULL DEFAULT '[]', migrated BOOLEAN NOT NULL, at BIGINT NOT NULL,
  PRIMARY KEY (migration_id, instance_id));
CREATE INDEX ix_bpm_migration_item_page ON bpm_migration_item (tenant_id, migration_id, migrated, instance_id);
