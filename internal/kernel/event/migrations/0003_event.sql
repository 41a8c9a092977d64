-- +goose Up
CREATE TABLE outbox_event (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  payload TEXT NOT NULL,
  user_id BIGINT NOT NULL,
  trace_id TEXT NOT NULL,
  create_time BIGINT NOT NULL,
  dispatched BOOLEAN NOT NULL DEFAULT false
);
CREATE INDEX ix_outbox_event_open ON outbox_event (id) WHERE dispatched = false;
CREATE INDEX ix_outbox_event_time ON outbox_event (create_time) WHERE dispatched = true;
