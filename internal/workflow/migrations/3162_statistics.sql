-- +goose Up
-- What happened on each closed day; days are counted from 1970-01-01 in the zone of the program. Later days than that of
-- bpm_statistic_fold are read from the tasks and instances themselves.
CREATE TABLE bpm_statistic_fold (tenant_id BIGINT PRIMARY KEY, day BIGINT NOT NULL, closed_at BIGINT NOT NULL);

-- Durations of decided tasks; buckets counts them by length, see statistic_figure.go.
CREATE TABLE bpm_statistic_step (
  tenant_id BIGINT NOT NULL, day BIGINT NOT NULL, process_key TEXT NOT NULL, element TEXT NOT NULL, name TEXT NOT NULL,
  tasks BIGINT NOT NULL, late BIGINT NOT NULL, total_ms BIGINT NOT NULL, buckets TEXT NOT NULL,
  PRIMARY KEY (tenant_id, day, process_key, element));

CREATE TABLE bpm_statistic_person (
  tenant_id BIGINT NOT NULL, day BIGINT NOT NULL, process_key TEXT NOT NULL, user_id BIGINT NOT NULL,
  tasks BIGINT NOT NULL, late BIGINT NOT NULL, total_ms BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, day, process_key, user_id));

CREATE TABLE bpm_statistic_instance (
  tenant_id BIGINT NOT NULL, day BIGINT NOT NULL, process_key TEXT NOT NULL,
  started BIGINT NOT NULL, approved BIGINT NOT NULL, rejected BIGINT NOT NULL, cancelled BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, day, process_key));
