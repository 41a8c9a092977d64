-- +goose Up
CREATE TABLE bpm_model (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  key TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL DEFAULT '', category TEXT NOT NULL DEFAULT '', icon TEXT NOT NULL DEFAULT '',
  form_type INTEGER NOT NULL DEFAULT 0, form_id BIGINT NOT NULL DEFAULT 0,
  form_custom_create_path TEXT NOT NULL DEFAULT '', form_custom_view_path TEXT NOT NULL DEFAULT '',
  bpmn_xml TEXT NOT NULL DEFAULT '', settings TEXT NOT NULL DEFAULT '{}', sort INTEGER NOT NULL DEFAULT 0,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_bpm_model_key ON bpm_model (tenant_id, key) WHERE deleted = false;
CREATE INDEX ix_bpm_model_page ON bpm_model (tenant_id, sort, id) WHERE deleted = false;
CREATE INDEX ix_bpm_model_category ON bpm_model (tenant_id, category) WHERE deleted = false;

-- What a model was besides its file when a version of it was deployed; the file and whether
-- it is suspended stand in wf_definition. Rows never change.
CREATE TABLE bpm_process_definition_info (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  definition_id TEXT NOT NULL, model_id BIGINT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '', category TEXT NOT NULL DEFAULT '', icon TEXT NOT NULL DEFAULT '',
  form_type INTEGER NOT NULL, form_id BIGINT NOT NULL DEFAULT 0, form_name TEXT NOT NULL DEFAULT '',
  form_conf TEXT NOT NULL DEFAULT '', form_fields TEXT NOT NULL DEFAULT '[]',
  form_custom_create_path TEXT NOT NULL DEFAULT '', form_custom_view_path TEXT NOT NULL DEFAULT '',
  settings TEXT NOT NULL DEFAULT '{}', digest TEXT NOT NULL, startable BOOLEAN NOT NULL DEFAULT true,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_bpm_process_definition_info_id ON bpm_process_definition_info (tenant_id, definition_id) WHERE deleted = false;
CREATE UNIQUE INDEX uk_bpm_process_definition_info_number ON bpm_process_definition_info (tenant_id, key, number) WHERE deleted = false;
CREATE INDEX ix_bpm_process_definition_info_page ON bpm_process_definition_info (tenant_id, id) WHERE deleted = false;
CREATE INDEX ix_bpm_process_definition_info_model ON bpm_process_definition_info (tenant_id, model_id, number) WHERE deleted = false;

-- Rows of a model have an empty process_definition_id; those of a deployed version carry it.
CREATE TABLE bpm_task_assign_rule (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  model_id BIGINT NOT NULL, process_definition_id TEXT NOT NULL DEFAULT '', task_definition_key TEXT NOT NULL,
  type INTEGER NOT NULL DEFAULT 0, options TEXT NOT NULL DEFAULT '[]', candidates TEXT NOT NULL DEFAULT '[]',
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_bpm_task_assign_rule ON bpm_task_assign_rule (tenant_id, model_id, process_definition_id, task_definition_key) WHERE deleted = false;
CREATE INDEX ix_bpm_task_assign_rule_definition ON bpm_task_assign_rule (tenant_id, process_definition_id) WHERE deleted = false;
