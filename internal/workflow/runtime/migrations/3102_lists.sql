-- +goose Up
-- The administrators' lists of tasks and instances, newest first.
CREATE INDEX ix_wf_task_page ON wf_task (tenant_id, created_at, instance_id, id);
CREATE INDEX ix_wf_instance_top ON wf_instance (tenant_id, id) WHERE parent_instance_id = '';
