-- +goose Up
-- What ended since the last closed day of the statistics.
CREATE INDEX ix_wf_task_ended ON wf_task (tenant_id, ended_at) WHERE ended_at > 0;
CREATE INDEX ix_wf_instance_ended ON wf_instance (tenant_id, ended_at) WHERE ended_at > 0 AND parent_instance_id = '';
