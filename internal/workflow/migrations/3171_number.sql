-- +goose Up
-- The readable number of an instance whose model has a rule for it; rows never change.
CREATE TABLE bpm_process_number (
  tenant_id BIGINT NOT NULL, instance_id TEXT NOT NULL, number TEXT NOT NULL,
  PRIMARY KEY (tenant_id, instance_id));
CREATE UNIQUE INDEX uk_bpm_process_number ON bpm_process_number (tenant_id, number);

-- The last number given under a rule. The rule's text holds its date, so each day has a row.
CREATE TABLE bpm_process_number_counter (
  tenant_id BIGINT NOT NULL, rule TEXT NOT NULL, last BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, rule));
