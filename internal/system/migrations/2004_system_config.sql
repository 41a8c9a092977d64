-- +goose Up
CREATE TABLE system_site (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  sign_description TEXT NOT NULL DEFAULT '',
  url TEXT NOT NULL DEFAULT '',
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uk_system_site ON system_site (tenant_id) WHERE deleted = false;
