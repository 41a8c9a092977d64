-- +goose Up
-- Whether who got a copy has opened it; what was copied before counts as read.
ALTER TABLE bpm_process_instance_copy ADD COLUMN unread BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX ix_bpm_process_instance_copy_unread ON bpm_process_instance_copy (tenant_id, user_id, unread, id);
