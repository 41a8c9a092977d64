-- +goose Up
CREATE TABLE bpm_category (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  name TEXT NOT NULL, code TEXT NOT NULL, description TEXT NOT NULL DEFAULT '', status INTEGER NOT NULL DEFAULT 0, sort INTEGER NOT NULL DEFAULT 0,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_bpm_category_name ON bpm_category (tenant_id, name) WHERE deleted = false;
CREATE UNIQUE INDEX uk_bpm_category_code ON bpm_category (tenant_id, code) WHERE deleted = false;
CREATE INDEX ix_bpm_category_page ON bpm_category (tenant_id, sort, id) WHERE deleted = false;

CREATE TABLE bpm_form (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  name TEXT NOT NULL, conf TEXT NOT NULL DEFAULT '{}', fields TEXT NOT NULL DEFAULT '[]', status INTEGER NOT NULL DEFAULT 0, remark TEXT NOT NULL DEFAULT '',
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE INDEX ix_bpm_form_page ON bpm_form (tenant_id, id) WHERE deleted = false;

CREATE TABLE bpm_user_group (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  name TEXT NOT NULL, description TEXT NOT NULL DEFAULT '', member_user_ids TEXT NOT NULL DEFAULT '[]', status INTEGER NOT NULL DEFAULT 0,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE INDEX ix_bpm_user_group_page ON bpm_user_group (tenant_id, id) WHERE deleted = false;

CREATE TABLE bpm_process_expression (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  name TEXT NOT NULL, status INTEGER NOT NULL DEFAULT 0, expression TEXT NOT NULL,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE INDEX ix_bpm_process_expression_page ON bpm_process_expression (tenant_id, id) WHERE deleted = false;

CREATE TABLE bpm_process_listener (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  name TEXT NOT NULL, type TEXT NOT NULL, event TEXT NOT NULL, value_type TEXT NOT NULL, value TEXT NOT NULL, status INTEGER NOT NULL DEFAULT 0,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE INDEX ix_bpm_process_listener_page ON bpm_process_listener (tenant_id, id) WHERE deleted = false;
