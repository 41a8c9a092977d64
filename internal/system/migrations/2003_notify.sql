-- +goose Up
CREATE TABLE system_notify_template (
  id IDENTITY_KEY,
  name TEXT NOT NULL,
  code TEXT NOT NULL,
  type INTEGER NOT NULL,
  nickname TEXT NOT NULL,
  content TEXT NOT NULL,
  params TEXT NOT NULL DEFAULT '[]',
  status INTEGER NOT NULL DEFAULT 0,
  remark TEXT NOT NULL DEFAULT '',
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uk_system_notify_template ON system_notify_template (code) WHERE deleted = false;

-- One row per message and receiver. Only the read mark ever changes, by the receiver.
CREATE TABLE system_notify_message (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  user_type INTEGER NOT NULL,
  template_id BIGINT NOT NULL,
  template_code TEXT NOT NULL,
  template_nickname TEXT NOT NULL,
  template_content TEXT NOT NULL,
  template_type INTEGER NOT NULL,
  template_params TEXT NOT NULL DEFAULT '{}',
  read_status BOOLEAN NOT NULL DEFAULT false,
  read_time BIGINT,
  create_time BIGINT NOT NULL
);
CREATE INDEX ix_system_notify_message_user ON system_notify_message (tenant_id, user_id, id);
CREATE INDEX ix_system_notify_message_unread ON system_notify_message (tenant_id, user_id, id) WHERE read_status = false;
CREATE INDEX ix_system_notify_message ON system_notify_message (tenant_id, id);
