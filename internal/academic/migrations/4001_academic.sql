-- +goose Up
CREATE TABLE thesis_major (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  code TEXT NOT NULL, name TEXT NOT NULL, dept_id BIGINT NOT NULL,
  degree_type INTEGER NOT NULL DEFAULT 0, degree_levels TEXT NOT NULL DEFAULT '[]', is_enable INTEGER NOT NULL DEFAULT 1,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_thesis_major_code ON thesis_major (tenant_id, code) WHERE deleted = false;
CREATE INDEX ix_thesis_major_page ON thesis_major (tenant_id, id) WHERE deleted = false;

CREATE TABLE thesis_student (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL, student_no TEXT NOT NULL, name TEXT NOT NULL, pinyin TEXT NOT NULL DEFAULT '',
  sex INTEGER NOT NULL DEFAULT 0, mobile TEXT NOT NULL DEFAULT '', email TEXT NOT NULL DEFAULT '',
  dept_id BIGINT NOT NULL, major_id BIGINT NOT NULL, degree_level INTEGER NOT NULL, degree_type INTEGER NOT NULL,
  study_mode INTEGER NOT NULL DEFAULT 1, entry_year INTEGER NOT NULL, entry_semester TEXT NOT NULL DEFAULT '',
  base_months INTEGER NOT NULL DEFAULT 0, max_months INTEGER NOT NULL DEFAULT 0, suspended_days INTEGER NOT NULL DEFAULT 0,
  life_state INTEGER NOT NULL DEFAULT 1, research_field TEXT NOT NULL DEFAULT '', real_name_state INTEGER NOT NULL DEFAULT 0,
  fee_cleared BOOLEAN NOT NULL DEFAULT false,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_thesis_student_no ON thesis_student (tenant_id, student_no) WHERE deleted = false;
CREATE UNIQUE INDEX uk_thesis_student_user ON thesis_student (tenant_id, user_id) WHERE deleted = false AND user_id > 0;
CREATE INDEX ix_thesis_student_page ON thesis_student (tenant_id, id) WHERE deleted = false;
CREATE INDEX ix_thesis_student_dept ON thesis_student (tenant_id, dept_id, id) WHERE deleted = false;

CREATE TABLE thesis_advisor (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL, staff_no TEXT NOT NULL, name TEXT NOT NULL, dept_id BIGINT NOT NULL,
  title_rank INTEGER NOT NULL DEFAULT 9, advisor_levels TEXT NOT NULL DEFAULT '[]', quota_per_year INTEGER NOT NULL DEFAULT 0,
  disciplines TEXT NOT NULL DEFAULT '[]', research_keywords TEXT NOT NULL DEFAULT '[]', employer TEXT NOT NULL DEFAULT '',
  external BOOLEAN NOT NULL DEFAULT false, email TEXT NOT NULL DEFAULT '', office_hours TEXT NOT NULL DEFAULT '',
  is_enable INTEGER NOT NULL DEFAULT 1,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_thesis_advisor_no ON thesis_advisor (tenant_id, staff_no) WHERE deleted = false;
CREATE UNIQUE INDEX uk_thesis_advisor_user ON thesis_advisor (tenant_id, user_id) WHERE deleted = false AND user_id > 0;
CREATE INDEX ix_thesis_advisor_page ON thesis_advisor (tenant_id, id) WHERE deleted = false;

CREATE TABLE thesis_supervision (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  student_id BIGINT NOT NULL, advisor_id BIGINT NOT NULL, role INTEGER NOT NULL DEFAULT 1,
  start_date TEXT NOT NULL, end_date TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '',
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
-- one active row per student and role: the database is the last to say no
CREATE UNIQUE INDEX uk_thesis_supervision_active ON thesis_supervision (tenant_id, student_id, role) WHERE deleted = false AND end_date = '';
CREATE INDEX ix_thesis_supervision_page ON thesis_supervision (tenant_id, id) WHERE deleted = false;
CREATE INDEX ix_thesis_supervision_advisor ON thesis_supervision (tenant_id, advisor_id, student_id) WHERE deleted = false AND end_date = '';

CREATE TABLE thesis_semester (
  id IDENTITY_KEY, tenant_id BIGINT NOT NULL,
  academic_year TEXT NOT NULL, item INTEGER NOT NULL, start_date TEXT NOT NULL, end_date TEXT NOT NULL,
  week_count INTEGER NOT NULL DEFAULT 20, is_current BOOLEAN NOT NULL DEFAULT false,
  creator TEXT NOT NULL DEFAULT '', create_time BIGINT NOT NULL, updater TEXT NOT NULL DEFAULT '', update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_thesis_semester ON thesis_semester (tenant_id, academic_year, item) WHERE deleted = false;
CREATE UNIQUE INDEX uk_thesis_semester_current ON thesis_semester (tenant_id) WHERE deleted = false AND is_current = true;
