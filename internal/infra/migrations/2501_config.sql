-- +goose Up
CREATE TABLE infra_config (
  id IDENTITY_KEY,
  category TEXT NOT NULL,
  name TEXT NOT NULL,
  config_key TEXT NOT NULL,
  value TEXT NOT NULL DEFAULT '',
  type INTEGER NOT NULL DEFAULT 2,
  visible BOOLEAN NOT NULL DEFAULT true,
  remark TEXT NOT NULL DEFAULT '',
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uk_infra_config ON infra_config (config_key) WHERE deleted = false;
