-- +goose Up
CREATE TABLE audit_log (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  create_time BIGINT NOT NULL,
  actor_kind INTEGER NOT NULL,
  user_id BIGINT NOT NULL,
  user_type INTEGER NOT NULL DEFAULT 0,
  user_name TEXT NOT NULL,
  trace_id TEXT NOT NULL,
  user_ip TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  method TEXT NOT NULL,
  url TEXT NOT NULL,
  entity TEXT NOT NULL,
  type TEXT NOT NULL,
  sub_type TEXT NOT NULL,
  op INTEGER NOT NULL,
  biz_id BIGINT NOT NULL,
  action TEXT NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  chain_no BIGINT,
  prev_hash TEXT NOT NULL DEFAULT '',
  hash TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX uk_audit_chain ON audit_log (tenant_id, chain_no) WHERE chain_no IS NOT NULL;
CREATE INDEX ix_audit_open ON audit_log (tenant_id, id) WHERE chain_no IS NULL;
CREATE INDEX ix_audit_tenant ON audit_log (tenant_id, id);
CREATE INDEX ix_audit_row ON audit_log (tenant_id, entity, biz_id, id);
