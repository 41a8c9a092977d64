-- +goose Up
CREATE TABLE web_idempotency (
  tenant_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  idem_key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  create_time BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, user_id, idem_key)
);
CREATE INDEX ix_web_idempotency_time ON web_idempotency (create_time);
