-- +goose Up
CREATE TABLE system_tenant (
  id IDENTITY_KEY,
  name TEXT NOT NULL,
  contact_name TEXT NOT NULL DEFAULT '',
  contact_mobile TEXT NOT NULL DEFAULT '',
  contact_user_id BIGINT NOT NULL DEFAULT 0,
  status INTEGER NOT NULL DEFAULT 0,
  websites TEXT NOT NULL DEFAULT '[]',
  package_id BIGINT NOT NULL DEFAULT 0,
  expire_time BIGINT NOT NULL,
  account_count INTEGER NOT NULL DEFAULT 0,
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uk_system_tenant_name ON system_tenant (name) WHERE deleted = false;

CREATE TABLE system_tenant_package (
  id IDENTITY_KEY,
  name TEXT NOT NULL,
  status INTEGER NOT NULL DEFAULT 0,
  remark TEXT NOT NULL DEFAULT '',
  menu_ids TEXT NOT NULL DEFAULT '[]',
  standard BOOLEAN NOT NULL DEFAULT false,
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uk_system_tenant_package_name ON system_tenant_package (name) WHERE deleted = false;

CREATE TABLE system_menu (
  id IDENTITY_KEY,
  name TEXT NOT NULL,
  name_en TEXT NOT NULL DEFAULT '',
  permission TEXT NOT NULL DEFAULT '',
  type INTEGER NOT NULL,
  sort INTEGER NOT NULL DEFAULT 0,
  parent_id BIGINT NOT NULL DEFAULT 0,
  path TEXT NOT NULL DEFAULT '',
  icon TEXT NOT NULL DEFAULT '',
  component TEXT NOT NULL DEFAULT '',
  component_name TEXT NOT NULL DEFAULT '',
  status INTEGER NOT NULL DEFAULT 0,
  visible BOOLEAN NOT NULL DEFAULT true,
  keep_alive BOOLEAN NOT NULL DEFAULT true,
  always_show BOOLEAN NOT NULL DEFAULT true,
  seed_key TEXT NOT NULL DEFAULT '',
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uk_system_menu_seed ON system_menu (seed_key) WHERE seed_key <> '';
CREATE INDEX ix_system_menu_parent ON system_menu (parent_id);

CREATE TABLE system_dept (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  parent_id BIGINT NOT NULL DEFAULT 0,
  sort INTEGER NOT NULL DEFAULT 0,
  leader_user_id BIGINT NOT NULL DEFAULT 0,
  phone TEXT NOT NULL DEFAULT '',
  email TEXT NOT NULL DEFAULT '',
  status INTEGER NOT NULL DEFAULT 0,
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uk_system_dept_name ON system_dept (tenant_id, parent_id, name) WHERE deleted = false;

CREATE TABLE system_post (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  code TEXT NOT NULL,
  sort INTEGER NOT NULL DEFAULT 0,
  status INTEGER NOT NULL DEFAULT 0,
  remark TEXT NOT NULL DEFAULT '',
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uk_system_post_name ON system_post (tenant_id, name) WHERE deleted = false;
CREATE UNIQUE INDEX uk_system_post_code ON system_post (tenant_id, code) WHERE deleted = false;
CREATE INDEX ix_system_post_list ON system_post (tenant_id, sort, id) WHERE deleted = false;
CREATE INDEX ix_system_post_status ON system_post (tenant_id, status, sort, id) WHERE deleted = false;

CREATE TABLE system_role (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  code TEXT NOT NULL,
  sort INTEGER NOT NULL DEFAULT 0,
  status INTEGER NOT NULL DEFAULT 0,
  type INTEGER NOT NULL DEFAULT 2,
  remark TEXT NOT NULL DEFAULT '',
  data_scope INTEGER NOT NULL DEFAULT 1,
  data_scope_dept_ids TEXT NOT NULL DEFAULT '[]',
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uk_system_role_name ON system_role (tenant_id, name) WHERE deleted = false;
CREATE UNIQUE INDEX uk_system_role_code ON system_role (tenant_id, code) WHERE deleted = false;

CREATE TABLE system_users (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  username TEXT NOT NULL,
  password TEXT NOT NULL,
  nickname TEXT NOT NULL,
  user_type INTEGER NOT NULL DEFAULT 2,
  remark TEXT NOT NULL DEFAULT '',
  introduction TEXT NOT NULL DEFAULT '',
  dept_id BIGINT NOT NULL DEFAULT 0,
  post_ids TEXT NOT NULL DEFAULT '[]',
  email TEXT NOT NULL DEFAULT '',
  mobile TEXT NOT NULL DEFAULT '',
  sex INTEGER NOT NULL DEFAULT 0,
  avatar TEXT NOT NULL DEFAULT '',
  status INTEGER NOT NULL DEFAULT 0,
  creator TEXT NOT NULL DEFAULT '',
  create_time BIGINT NOT NULL,
  updater TEXT NOT NULL DEFAULT '',
  update_time BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL DEFAULT false,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uk_system_users_name ON system_users (tenant_id, lower(username)) WHERE deleted = false;
CREATE UNIQUE INDEX uk_system_users_mobile ON system_users (tenant_id, mobile) WHERE deleted = false AND mobile <> '';
CREATE UNIQUE INDEX uk_system_users_email ON system_users (tenant_id, lower(email)) WHERE deleted = false AND email <> '';
CREATE INDEX ix_system_users_page ON system_users (tenant_id, id) WHERE deleted = false;
CREATE INDEX ix_system_users_dept ON system_users (tenant_id, dept_id, id) WHERE deleted = false;

-- Links and sessions are not audited tables: their changes are audited by the code that makes them.
CREATE TABLE system_user_role (
  tenant_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  role_id BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, user_id, role_id)
);
CREATE INDEX ix_system_user_role_role ON system_user_role (tenant_id, role_id, user_id);

CREATE TABLE system_role_menu (
  tenant_id BIGINT NOT NULL,
  role_id BIGINT NOT NULL,
  menu_id BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, role_id, menu_id)
);
CREATE INDEX ix_system_role_menu_menu ON system_role_menu (menu_id);

CREATE TABLE system_user_login (
  tenant_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  login_ip TEXT NOT NULL,
  login_date BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
);

CREATE TABLE system_session (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  client TEXT NOT NULL DEFAULT 'default',
  user_ip TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  create_time BIGINT NOT NULL,
  last_time BIGINT NOT NULL,
  access_hash TEXT NOT NULL,
  access_expires BIGINT NOT NULL,
  old_access_hash TEXT NOT NULL DEFAULT '',
  old_access_until BIGINT NOT NULL DEFAULT 0,
  refresh_expires BIGINT NOT NULL
);
CREATE UNIQUE INDEX uk_system_session_access ON system_session (access_hash);
CREATE INDEX ix_system_session_old ON system_session (old_access_hash);
CREATE INDEX ix_system_session_user ON system_session (tenant_id, user_id, id);
CREATE INDEX ix_system_session_expiry ON system_session (refresh_expires);

CREATE TABLE system_refresh_token (
  tenant_id BIGINT NOT NULL,
  token_hash TEXT NOT NULL,
  session_id BIGINT NOT NULL,
  create_time BIGINT NOT NULL,
  expires_time BIGINT NOT NULL,
  used_time BIGINT NOT NULL DEFAULT 0,
  successor TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, token_hash)
);
CREATE INDEX ix_system_refresh_token_session ON system_refresh_token (tenant_id, session_id);
CREATE INDEX ix_system_refresh_token_expiry ON system_refresh_token (expires_time);

CREATE TABLE system_login_failure (
  tenant_id BIGINT NOT NULL,
  username TEXT NOT NULL,
  failures INTEGER NOT NULL,
  first_time BIGINT NOT NULL,
  locked_until BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, username)
);
CREATE INDEX ix_system_login_failure_time ON system_login_failure (first_time);

CREATE TABLE system_login_log (
  id IDENTITY_KEY,
  tenant_id BIGINT NOT NULL,
  log_type INTEGER NOT NULL,
  trace_id TEXT NOT NULL,
  user_id BIGINT NOT NULL,
  user_type INTEGER NOT NULL,
  username TEXT NOT NULL,
  result INTEGER NOT NULL,
  user_ip TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  create_time BIGINT NOT NULL
);
CREATE INDEX ix_system_login_log_page ON system_login_log (tenant_id, id);
CREATE INDEX ix_system_login_log_time ON system_login_log (tenant_id, create_time);

CREATE TABLE system_setup_link (
  token_hash TEXT PRIMARY KEY,
  owner_tenant BIGINT NOT NULL,
  expires_time BIGINT NOT NULL
);

-- What was seeded last: menus once, roles per tenant; lets a start on an existing database skip the work.
CREATE TABLE system_seed (
  scope TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  content TEXT NOT NULL
);
