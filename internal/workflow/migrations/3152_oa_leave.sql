-- +goose Up
CREATE TABLE bpm_oa_leave (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL, type INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '', start_time BIGINT NOT NULL, end_time BIGINT NOT NULL,
  day INTEGER NOT NULL, status INTEGER NOT NULL, process_instance_id TEXT NOT NULL DEFAULT '',
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE INDEX ix_bpm_oa_leave_user ON bpm_oa_leave (tenant_id, user_id, id) WHERE deleted = false;
