-- +goose Up
CREATE TABLE system_notice (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  title TEXT NOT NULL,
  type INTEGER NOT NULL,
  content TEXT NOT NULL DEFAULT '',
  status INTEGER NOT NULL DEFAULT 0,
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX ix_system_notice ON system_notice (tenant_id, id) WHERE deleted = false;
