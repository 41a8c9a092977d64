-- +goose Up
CREATE TABLE thesis_record (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  student_id BIGINT NOT NULL, degree_attempt INTEGER NOT NULL DEFAULT 1, record_no TEXT NOT NULL,
  title_zh TEXT NOT NULL DEFAULT '', title_en TEXT NOT NULL DEFAULT '', thesis_type INTEGER NOT NULL DEFAULT 0,
  thesis_source INTEGER NOT NULL DEFAULT 0, source_no TEXT NOT NULL DEFAULT '',
  current_step INTEGER NOT NULL DEFAULT 10, life_state INTEGER NOT NULL DEFAULT 1, flags INTEGER NOT NULL DEFAULT 0,
  latest_end_date TEXT NOT NULL DEFAULT '', secrecy INTEGER NOT NULL DEFAULT 0,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_thesis_record_student ON thesis_record (tenant_id, student_id, degree_attempt) WHERE deleted = false;
CREATE UNIQUE INDEX uk_thesis_record_no ON thesis_record (tenant_id, record_no) WHERE deleted = false;
CREATE INDEX ix_thesis_record_page ON thesis_record (tenant_id, id) WHERE deleted = false;
CREATE INDEX ix_thesis_record_step ON thesis_record (tenant_id, current_step, id) WHERE deleted = false;

CREATE TABLE thesis_step (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  record_id BIGINT NOT NULL, step_code INTEGER NOT NULL, attempt_no INTEGER NOT NULL DEFAULT 1, latest BOOLEAN NOT NULL DEFAULT true,
  status INTEGER NOT NULL DEFAULT 0, policy_id BIGINT NOT NULL DEFAULT 0, policy TEXT NOT NULL DEFAULT '{}', window_id BIGINT NOT NULL DEFAULT 0,
  semester TEXT NOT NULL DEFAULT '', opened_at BIGINT NOT NULL DEFAULT 0, submitted_at BIGINT NOT NULL DEFAULT 0, due_at BIGINT NOT NULL DEFAULT 0,
  finished_at BIGINT NOT NULL DEFAULT 0, form_id BIGINT NOT NULL DEFAULT 0, process_instance_id TEXT NOT NULL DEFAULT '',
  result_note TEXT NOT NULL DEFAULT '', waived_by TEXT NOT NULL DEFAULT '', waive_reason TEXT NOT NULL DEFAULT '', retry_at BIGINT NOT NULL DEFAULT 0,
  frozen_file_ids TEXT NOT NULL DEFAULT '[]',
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_thesis_step_attempt ON thesis_step (tenant_id, record_id, step_code, attempt_no) WHERE deleted = false;
CREATE UNIQUE INDEX uk_thesis_step_latest ON thesis_step (tenant_id, record_id, step_code) WHERE deleted = false AND latest = true;
CREATE INDEX ix_thesis_step_status ON thesis_step (tenant_id, step_code, status, id) WHERE deleted = false AND latest = true;

CREATE TABLE thesis_transition (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL, record_id BIGINT NOT NULL, seq INTEGER NOT NULL,
  step_id BIGINT NOT NULL, step_code INTEGER NOT NULL, form_id BIGINT NOT NULL, event TEXT NOT NULL,
  from_status INTEGER NOT NULL, to_status INTEGER NOT NULL, from_audit INTEGER NOT NULL, to_audit INTEGER NOT NULL, level INTEGER NOT NULL,
  actor_user_id BIGINT NOT NULL, actor_kind INTEGER NOT NULL, actor_name TEXT NOT NULL, reason TEXT NOT NULL, files TEXT NOT NULL,
  digest_before TEXT NOT NULL, digest_after TEXT NOT NULL, create_time BIGINT NOT NULL, prev_hash TEXT NOT NULL, hash TEXT NOT NULL);
CREATE UNIQUE INDEX uk_thesis_transition_seq ON thesis_transition (tenant_id, record_id, seq);
CREATE INDEX ix_thesis_transition_form ON thesis_transition (tenant_id, form_id, id);

CREATE TABLE thesis_policy (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  name TEXT NOT NULL, dept_id BIGINT NOT NULL DEFAULT 0, degree_level INTEGER NOT NULL DEFAULT 0, degree_type INTEGER NOT NULL DEFAULT 0,
  entry_year INTEGER NOT NULL DEFAULT 0, status INTEGER NOT NULL DEFAULT 0, valid_from BIGINT NOT NULL DEFAULT 0, body TEXT NOT NULL DEFAULT '{}',
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE INDEX ix_thesis_policy_active ON thesis_policy (tenant_id, status, id) WHERE deleted = false;

CREATE TABLE thesis_step_window (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  semester TEXT NOT NULL, step_code INTEGER NOT NULL, dept_id BIGINT NOT NULL DEFAULT 0, degree_level INTEGER NOT NULL DEFAULT 0,
  open_at BIGINT NOT NULL, close_at BIGINT NOT NULL, late_mode INTEGER NOT NULL DEFAULT 1, grace_minutes INTEGER NOT NULL DEFAULT 10,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_thesis_step_window ON thesis_step_window (tenant_id, semester, step_code, dept_id, degree_level) WHERE deleted = false;

CREATE TABLE thesis_window_override (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  record_id BIGINT NOT NULL, step_code INTEGER NOT NULL, until_at BIGINT NOT NULL, reason TEXT NOT NULL, approver_id BIGINT NOT NULL,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE INDEX ix_thesis_window_override ON thesis_window_override (tenant_id, record_id, step_code, id) WHERE deleted = false;

CREATE TABLE thesis_topic (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  advisor_id BIGINT NOT NULL, title TEXT NOT NULL, summary TEXT NOT NULL DEFAULT '', thesis_type INTEGER NOT NULL, thesis_source INTEGER NOT NULL,
  source_no TEXT NOT NULL DEFAULT '', degree_level INTEGER NOT NULL DEFAULT 0, major_ids TEXT NOT NULL DEFAULT '[]', semester TEXT NOT NULL DEFAULT '',
  max_students INTEGER NOT NULL DEFAULT 1, taken_count INTEGER NOT NULL DEFAULT 0, state INTEGER NOT NULL DEFAULT 0,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1,
  CHECK (taken_count >= 0 AND taken_count <= max_students));
CREATE UNIQUE INDEX uk_thesis_topic_title ON thesis_topic (tenant_id, advisor_id, title) WHERE deleted = false;
CREATE INDEX ix_thesis_topic_page ON thesis_topic (tenant_id, id) WHERE deleted = false;
CREATE INDEX ix_thesis_topic_open ON thesis_topic (tenant_id, id) WHERE deleted = false AND state = 1;

CREATE TABLE thesis_students_subject (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  record_id BIGINT NOT NULL, student_id BIGINT NOT NULL, step_id BIGINT NOT NULL, topic_id BIGINT NOT NULL DEFAULT 0,
  self_proposed BOOLEAN NOT NULL DEFAULT false, title_zh TEXT NOT NULL DEFAULT '', title_en TEXT NOT NULL DEFAULT '',
  thesis_type INTEGER NOT NULL DEFAULT 0, thesis_source INTEGER NOT NULL DEFAULT 0, source_no TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '', expected_result TEXT NOT NULL DEFAULT '', attachments TEXT NOT NULL DEFAULT '[]',
  audit_state INTEGER NOT NULL DEFAULT 0, level INTEGER NOT NULL DEFAULT 0, submit_no INTEGER NOT NULL DEFAULT 0,
  submitted_at BIGINT NOT NULL DEFAULT 0, waiting_since BIGINT NOT NULL DEFAULT 0, late_flag INTEGER NOT NULL DEFAULT 0,
  holds_place BOOLEAN NOT NULL DEFAULT false, need_new_file BOOLEAN NOT NULL DEFAULT false,
  new_title_zh TEXT NOT NULL DEFAULT '', new_title_en TEXT NOT NULL DEFAULT '', change_reason TEXT NOT NULL DEFAULT '', change_major BOOLEAN NOT NULL DEFAULT false,
  receipt_no TEXT NOT NULL DEFAULT '', digest TEXT NOT NULL DEFAULT '',
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_thesis_subject_step ON thesis_students_subject (tenant_id, step_id) WHERE deleted = false;
CREATE INDEX ix_thesis_subject_page ON thesis_students_subject (tenant_id, id) WHERE deleted = false;
CREATE INDEX ix_thesis_subject_record ON thesis_students_subject (tenant_id, record_id, id) WHERE deleted = false;
CREATE INDEX ix_thesis_subject_todo ON thesis_students_subject (tenant_id, level, waiting_since, id) WHERE deleted = false AND level > 0;
CREATE INDEX ix_thesis_subject_state ON thesis_students_subject (tenant_id, audit_state, id) WHERE deleted = false;
CREATE INDEX ix_thesis_subject_topic ON thesis_students_subject (tenant_id, topic_id) WHERE deleted = false AND topic_id > 0;

CREATE TABLE thesis_file_version (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  record_id BIGINT NOT NULL, kind TEXT NOT NULL, version_no INTEGER NOT NULL, file_id BIGINT NOT NULL, name TEXT NOT NULL,
  size_bytes BIGINT NOT NULL, sha256 TEXT NOT NULL, mime TEXT NOT NULL, frozen_at BIGINT NOT NULL DEFAULT 0, uploader_id BIGINT NOT NULL,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_thesis_file_version ON thesis_file_version (tenant_id, record_id, kind, version_no) WHERE deleted = false;
CREATE UNIQUE INDEX uk_thesis_file_version_file ON thesis_file_version (tenant_id, record_id, kind, file_id) WHERE deleted = false;

CREATE TABLE thesis_feedback (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL, user_name TEXT NOT NULL, dept_id BIGINT NOT NULL, kind INTEGER NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL,
  images TEXT NOT NULL DEFAULT '[]', state INTEGER NOT NULL DEFAULT 0, handler_id BIGINT NOT NULL DEFAULT 0, handler_name TEXT NOT NULL DEFAULT '',
  rating INTEGER NOT NULL DEFAULT 0, rating_comment TEXT NOT NULL DEFAULT '', last_reply_at BIGINT NOT NULL DEFAULT 0, closed_at BIGINT NOT NULL DEFAULT 0,
  reopen_count INTEGER NOT NULL DEFAULT 0,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE INDEX ix_thesis_feedback_page ON thesis_feedback (tenant_id, id) WHERE deleted = false;
CREATE INDEX ix_thesis_feedback_user ON thesis_feedback (tenant_id, user_id, id) WHERE deleted = false;

CREATE TABLE thesis_feedback_reply (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  feedback_id BIGINT NOT NULL, user_id BIGINT NOT NULL, user_name TEXT NOT NULL, from_staff BOOLEAN NOT NULL, content TEXT NOT NULL, images TEXT NOT NULL DEFAULT '[]',
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE INDEX ix_thesis_feedback_reply ON thesis_feedback_reply (tenant_id, feedback_id, id) WHERE deleted = false;
