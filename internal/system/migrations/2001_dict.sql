-- +goose Up
CREATE TABLE system_dict_type (
  id IDENTITY_KEY,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  status INTEGER NOT NULL DEFAULT 0,
  remark TEXT NOT NULL DEFAULT '',
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uk_system_dict_type ON system_dict_type (type) WHERE deleted = false;
CREATE UNIQUE INDEX uk_system_dict_type_name ON system_dict_type (name) WHERE deleted = false;

CREATE TABLE system_dict_data (
  id IDENTITY_KEY,
  sort INTEGER NOT NULL DEFAULT 0,
  label TEXT NOT NULL,
  label_en TEXT NOT NULL DEFAULT '',
  value TEXT NOT NULL,
  dict_type TEXT NOT NULL,
  status INTEGER NOT NULL DEFAULT 0,
  color_type TEXT NOT NULL DEFAULT '',
  css_class TEXT NOT NULL DEFAULT '',
  remark TEXT NOT NULL DEFAULT '',
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uk_system_dict_data ON system_dict_data (dict_type, value) WHERE deleted = false;
CREATE INDEX ix_system_dict_data_order ON system_dict_data (dict_type, sort, id) WHERE deleted = false;
