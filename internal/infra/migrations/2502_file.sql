-- +goose Up
-- A stored file. Its bytes lie in the blob store under sha256; path is the random public
-- address of a picture, empty for everything else.
CREATE TABLE infra_file (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL DEFAULT '',
  sha256 TEXT NOT NULL,
  size BIGINT NOT NULL,
  type TEXT NOT NULL,
  slot TEXT NOT NULL,
  owner TEXT NOT NULL DEFAULT '',
  owner_id BIGINT NOT NULL DEFAULT 0,
  upload_id TEXT NOT NULL DEFAULT '',
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uk_infra_file_upload ON infra_file (tenant_id, upload_id) WHERE upload_id <> '' AND deleted = false;
CREATE INDEX ix_infra_file_page ON infra_file (tenant_id, id) WHERE deleted = false;
CREATE INDEX ix_infra_file_quota ON infra_file (tenant_id, user_id, size) WHERE deleted = false;
CREATE INDEX ix_infra_file_path ON infra_file (path) WHERE path <> '' AND deleted = false;
CREATE INDEX ix_infra_file_content ON infra_file (sha256) WHERE deleted = false;
CREATE INDEX ix_infra_file_free ON infra_file (create_time) WHERE owner = '' AND deleted = false;

-- A running upload: who may go on with it, and what it was announced as.
CREATE TABLE infra_upload (
  tenant_id BIGINT NOT NULL,
  id TEXT NOT NULL,
  user_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  size BIGINT NOT NULL,
  sha256 TEXT NOT NULL DEFAULT '',
  slot TEXT NOT NULL,
  create_time BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX ix_infra_upload_user ON infra_upload (tenant_id, user_id);
CREATE INDEX ix_infra_upload_time ON infra_upload (create_time);
