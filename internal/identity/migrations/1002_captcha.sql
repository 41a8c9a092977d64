-- +goose Up
-- Keys that all nodes of the installation share. Each is made once, by the program, and shown to nobody.
CREATE TABLE system_secret (
  name TEXT PRIMARY KEY,
  secret TEXT NOT NULL,
  create_time BIGINT NOT NULL
);

-- Captchas that were answered. proof_hash is empty after a wrong answer and once a sign-in has used the right one.
-- They belong to no tenant: a captcha is answered before the tenant is known.
CREATE TABLE system_captcha (
  token_hash TEXT PRIMARY KEY,
  proof_hash TEXT NOT NULL DEFAULT '',
  expires_time BIGINT NOT NULL
);
CREATE INDEX ix_system_captcha_proof ON system_captcha (proof_hash) WHERE proof_hash <> '';
CREATE INDEX ix_system_captcha_expiry ON system_captcha (expires_time);
