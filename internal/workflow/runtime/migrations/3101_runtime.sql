-- +goose Up
CREATE TABLE wf_definition (
  tenant_id BIGINT NOT NULL,
  id TEXT PRIMARY KEY,
  deployment_id TEXT NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  version_tag TEXT NOT NULL DEFAULT '',
  name TEXT NOT NULL,
  xml TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  suspended BOOLEAN NOT NULL DEFAULT false,
  history_ttl TEXT NOT NULL DEFAULT '',
  deployed_at BIGINT NOT NULL,
  deployed_by BIGINT NOT NULL
);
CREATE UNIQUE INDEX uk_wf_definition_version ON wf_definition (tenant_id, key, version);
CREATE INDEX ix_wf_definition_tag ON wf_definition (tenant_id, key, version_tag, version) WHERE version_tag <> '';
CREATE INDEX ix_wf_definition_deployment ON wf_definition (tenant_id, deployment_id);

CREATE TABLE wf_instance (
  tenant_id BIGINT NOT NULL,
  id TEXT PRIMARY KEY,
  definition_id TEXT NOT NULL,
  process_key TEXT NOT NULL,
  root_id TEXT NOT NULL,
  parent_instance_id TEXT NOT NULL DEFAULT '',
  parent_token_id BIGINT NOT NULL DEFAULT 0,
  depth INTEGER NOT NULL DEFAULT 0,
  business_type TEXT NOT NULL DEFAULT '',
  business_id TEXT NOT NULL DEFAULT '',
  name TEXT NOT NULL DEFAULT '',
  starter_id BIGINT NOT NULL DEFAULT 0,
  status INTEGER NOT NULL,
  result INTEGER NOT NULL,
  rev BIGINT NOT NULL,
  next_seq BIGINT NOT NULL,
  next_id BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  ended_at BIGINT NOT NULL DEFAULT 0,
  reason TEXT NOT NULL DEFAULT '',
  vars TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX uk_wf_instance_business ON wf_instance (tenant_id, business_type, business_id)
  WHERE status <> 2 AND business_type <> '' AND parent_instance_id = '';
CREATE INDEX ix_wf_instance_business ON wf_instance (tenant_id, business_type, business_id, id) WHERE business_type <> '';
CREATE INDEX ix_wf_instance_starter ON wf_instance (tenant_id, starter_id, id) WHERE parent_instance_id = '';
CREATE INDEX ix_wf_instance_page ON wf_instance (tenant_id, process_key, id) WHERE parent_instance_id = '';
CREATE INDEX ix_wf_instance_open ON wf_instance (tenant_id, definition_id, id) WHERE status <> 2;
CREATE INDEX ix_wf_instance_child ON wf_instance (root_id, parent_instance_id, parent_token_id) WHERE parent_instance_id <> '';

CREATE TABLE wf_task (
  tenant_id BIGINT NOT NULL,
  instance_id TEXT NOT NULL,
  id BIGINT NOT NULL,
  token_id BIGINT NOT NULL,
  parent_id BIGINT NOT NULL DEFAULT 0,
  element TEXT NOT NULL,
  name TEXT NOT NULL,
  assignee_id BIGINT NOT NULL DEFAULT 0,
  owner_id BIGINT NOT NULL DEFAULT 0,
  delegation TEXT NOT NULL DEFAULT '',
  sign_type TEXT NOT NULL DEFAULT '',
  status INTEGER NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  form_key TEXT NOT NULL DEFAULT '',
  priority INTEGER NOT NULL DEFAULT 0,
  due_at BIGINT NOT NULL DEFAULT 0,
  follow_up_at BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  claimed_at BIGINT NOT NULL DEFAULT 0,
  ended_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (instance_id, id)
);
CREATE INDEX ix_wf_task_todo ON wf_task (tenant_id, assignee_id, created_at, instance_id, id) WHERE ended_at = 0;
CREATE INDEX ix_wf_task_done ON wf_task (tenant_id, assignee_id, ended_at, instance_id, id) WHERE ended_at > 0;
CREATE INDEX ix_wf_task_due ON wf_task (tenant_id, due_at) WHERE ended_at = 0 AND due_at > 0;
CREATE INDEX ix_wf_task_owner ON wf_task (tenant_id, owner_id, created_at) WHERE owner_id > 0;

CREATE TABLE wf_task_candidate (
  tenant_id BIGINT NOT NULL,
  instance_id TEXT NOT NULL,
  task_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  ref_id BIGINT NOT NULL,
  rule TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (instance_id, task_id, kind, ref_id)
);
CREATE INDEX ix_wf_task_candidate_ref ON wf_task_candidate (tenant_id, kind, ref_id, instance_id, task_id);

CREATE TABLE wf_subscription (
  tenant_id BIGINT NOT NULL,
  owner_id TEXT NOT NULL,
  id BIGINT NOT NULL,
  starts BOOLEAN NOT NULL,
  token_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  corr_key TEXT NOT NULL,
  element TEXT NOT NULL,
  PRIMARY KEY (owner_id, id)
);
CREATE INDEX ix_wf_subscription_name ON wf_subscription (tenant_id, kind, name, corr_key);

CREATE TABLE wf_incident (
  tenant_id BIGINT NOT NULL,
  instance_id TEXT NOT NULL,
  id BIGINT NOT NULL,
  token_id BIGINT NOT NULL,
  job_id BIGINT NOT NULL DEFAULT 0,
  kind TEXT NOT NULL,
  element TEXT NOT NULL,
  message TEXT NOT NULL,
  detail TEXT NOT NULL DEFAULT '',
  created_at BIGINT NOT NULL,
  resolved_at BIGINT NOT NULL DEFAULT 0,
  resolved_by BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (instance_id, id)
);
CREATE INDEX ix_wf_incident_open ON wf_incident (tenant_id, created_at, instance_id, id) WHERE resolved_at = 0;

CREATE TABLE wf_event (
  tenant_id BIGINT NOT NULL,
  instance_id TEXT NOT NULL,
  seq BIGINT NOT NULL,
  events INTEGER NOT NULL,
  at BIGINT NOT NULL,
  actor_id BIGINT NOT NULL,
  command_id TEXT NOT NULL,
  action TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (instance_id, seq)
);

CREATE TABLE wf_activity (
  tenant_id BIGINT NOT NULL,
  instance_id TEXT NOT NULL,
  id BIGINT NOT NULL,
  token_id BIGINT NOT NULL,
  element TEXT NOT NULL,
  type TEXT NOT NULL,
  task_id BIGINT NOT NULL DEFAULT 0,
  started_at BIGINT NOT NULL,
  ended_at BIGINT NOT NULL DEFAULT 0,
  end_kind TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (instance_id, id)
);

CREATE TABLE wf_command (
  tenant_id BIGINT NOT NULL,
  id TEXT NOT NULL,
  instance_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  at BIGINT NOT NULL,
  result TEXT NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX ix_wf_command_at ON wf_command (at);
