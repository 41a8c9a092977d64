-- +goose Up
CREATE TABLE job_run (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  payload TEXT NOT NULL,
  dedupe TEXT NOT NULL DEFAULT '',
  schedule_id BIGINT NOT NULL DEFAULT 0,
  state INTEGER NOT NULL DEFAULT 0,
  run_at BIGINT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  max_tries INTEGER NOT NULL,
  retry_ms BIGINT NOT NULL DEFAULT 0,
  worker TEXT NOT NULL DEFAULT '',
  beat BIGINT NOT NULL DEFAULT 0,
  result TEXT NOT NULL DEFAULT '',
  last_error TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  start_time BIGINT NOT NULL DEFAULT 0,
  end_time BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX ix_job_run_due ON job_run (run_at, id) WHERE state = 0;
CREATE INDEX ix_job_run_running ON job_run (id) WHERE state = 1;
CREATE INDEX ix_job_run_ended ON job_run (end_time) WHERE state >= 2;
CREATE INDEX ix_job_run_tenant ON job_run (tenant_id, state, id);
CREATE UNIQUE INDEX uk_job_run_dedupe ON job_run (tenant_id, name, dedupe) WHERE dedupe <> '' AND state < 2;

CREATE TABLE job_schedule (
  id IDENTITY_KEY,
  name TEXT NOT NULL,
  handler TEXT NOT NULL,
  param TEXT NOT NULL DEFAULT '',
  cron TEXT NOT NULL,
  enabled BOOLEAN NOT NULL,
  retry_count INTEGER NOT NULL DEFAULT 0,
  retry_ms BIGINT NOT NULL DEFAULT 0,
  monitor_ms BIGINT NOT NULL DEFAULT 0,
  next_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL DEFAULT 0,
  create_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX uk_job_schedule_handler ON job_schedule (handler);

CREATE TABLE job_log (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  run_id BIGINT NOT NULL,
  schedule_id BIGINT NOT NULL,
  handler TEXT NOT NULL,
  param TEXT NOT NULL,
  execute_index INTEGER NOT NULL,
  begin_time BIGINT NOT NULL,
  end_time BIGINT NOT NULL DEFAULT 0,
  duration BIGINT NOT NULL DEFAULT 0,
  status INTEGER NOT NULL,
  result TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL
);
CREATE UNIQUE INDEX uk_job_log_run ON job_log (run_id, execute_index);
CREATE INDEX ix_job_log_schedule ON job_log (schedule_id, id);
CREATE INDEX ix_job_log_time ON job_log (create_time);
