-- +goose Up
-- What people said and did about a task; rows never change. Type is that of dictionary bpm_comment_type.
CREATE TABLE bpm_comment (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  instance_id TEXT NOT NULL, task_id BIGINT NOT NULL, user_id BIGINT NOT NULL, type INTEGER NOT NULL, message TEXT NOT NULL,
  sign_pic_url TEXT NOT NULL DEFAULT '', attachments TEXT NOT NULL DEFAULT '[]', create_time BIGINT NOT NULL);
CREATE INDEX ix_bpm_comment_instance ON bpm_comment (tenant_id, instance_id, id);

-- An instance shown to somebody who decides nothing in it.
CREATE TABLE bpm_process_instance_copy (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL, start_user_id BIGINT NOT NULL, process_instance_id TEXT NOT NULL, process_instance_name TEXT NOT NULL,
  activity_id TEXT NOT NULL, activity_name TEXT NOT NULL, task_id TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', create_user_id BIGINT NOT NULL, create_time BIGINT NOT NULL);
CREATE INDEX ix_bpm_process_instance_copy_user ON bpm_process_instance_copy (tenant_id, user_id, id);
CREATE UNIQUE INDEX uk_bpm_process_instance_copy ON bpm_process_instance_copy (tenant_id, process_instance_id, task_id, user_id);
