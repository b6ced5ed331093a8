CREATE TABLE "change_log" (
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"seq" bigserial NOT NULL,
	"scope" text NOT NULL,
	"place" uuid,
	"noun" text NOT NULL,
	"row_id" uuid NOT NULL,
	"op" text NOT NULL,
	"version" bigint NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "change_log_scope_xid_seq_pk" PRIMARY KEY("scope","xid","seq")
);
--> statement-breakpoint
CREATE TABLE "feed_state" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"server_gen" uuid DEFAULT gen_random_uuid() NOT NULL,
	"floor_xid" "xid8" DEFAULT '0' NOT NULL,
	"floor_seq" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "feed_state_is_one" CHECK ("feed_state"."is_only")
);
--> statement-breakpoint
ALTER TABLE "idempotency" ADD COLUMN "device_id" text;--> statement-breakpoint
ALTER TABLE "idempotency" ADD COLUMN "xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "perm_version" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "idempotency_by_device" ON "idempotency" USING btree ("user_id","device_id","xid") WHERE device_id is not null;--> statement-breakpoint
-- An operator who restored this database from a backup says so to every device, which then reads everything anew:
--   update feed_state set server_gen = gen_random_uuid();
-- The same after rows were written with the log turned off ("set local tieout.feed = 'off'", as the demo's seed does).
INSERT INTO "feed_state" DEFAULT VALUES;
--> statement-breakpoint
-- Writes what one statement changed to the log, in one statement. Its arguments are the scope and the place of a row r, as
-- expressions. A row that went to another scope or place is told of in the one it left, too.
CREATE FUNCTION log_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  rows_of text := format('(select r.id, r.version, %s as scope, %s as place from %%I r)', tg_argv[0], tg_argv[1]);
  before text := format(rows_of, 'old_rows');
  after text := format(rows_of, 'new_rows');
  changed text;
  scopes text[];
BEGIN
  IF current_setting('tieout.feed', true) = 'off' THEN RETURN NULL; END IF;
  changed := CASE tg_op
    WHEN 'INSERT' THEN format('select scope, place, id, ''put'' as op, version from %s a', after)
    WHEN 'DELETE' THEN format('select scope, place, id, ''del'' as op, version + 1 as version from %s b', before)
    ELSE format('select b.scope, b.place, a.id, ''del'' as op, a.version from %s b join %s a on a.id = b.id
      where (a.scope, a.place) is distinct from (b.scope, b.place)
      union all select scope, place, id, ''put'', version from %s a', before, after, after)
  END;
  EXECUTE format('with logged as (insert into change_log (scope, place, noun, row_id, op, version)
    select scope, place, %L, id, op, version from (%s) changed returning scope)
    select array_agg(distinct scope) from logged', tg_table_name, changed) INTO scopes;
  -- whoever listens is told where; of a change of very many places everybody is
  IF cardinality(scopes) > 16 THEN scopes := array['user']; END IF;
  PERFORM pg_notify('tieout_feed', scope) FROM unnest(scopes) scope;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A changed row has a new version, whether or not the statement thought of it: devices keep the newest they saw.
CREATE FUNCTION bump_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.version := old.version + 1;
  RETURN new;
END $$;
--> statement-breakpoint
DO $$
DECLARE
  noun record;
BEGIN
  FOR noun IN SELECT * FROM (VALUES
    ('organizations', '''user''', 'r.id'),
    ('clients', '''user''', 'r.organization_id'),
    ('entities', '''user''', 'r.client_id'),
    ('custodians', '''user''', 'null::uuid'),
    ('securities', '''user''', 'null::uuid'),
    ('saved_views', '''user:'' || r.user_id', 'r.user_id'),
    ('accounts', '(select ''client:'' || e.client_id from entities e where e.id = r.entity_id)', 'r.entity_id'),
    ('transactions', '''entity:'' || r.entity_id', 'r.entity_id'),
    ('transaction_matches', '''entity:'' || r.entity_id', 'r.entity_id')
  ) AS nouns (name, scope, place) LOOP
    EXECUTE format('CREATE TRIGGER feed_version BEFORE UPDATE ON %I FOR EACH ROW
      WHEN (new.version <= old.version AND new.* IS DISTINCT FROM old.* AND current_setting(''tieout.feed'', true) IS DISTINCT FROM ''off'')
      EXECUTE FUNCTION bump_version()', noun.name);
    EXECUTE format('CREATE TRIGGER feed_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
      EXECUTE FUNCTION log_changes(%L, %L)', noun.name, noun.scope, noun.place);
    EXECUTE format('CREATE TRIGGER feed_update AFTER UPDATE ON %I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
      EXECUTE FUNCTION log_changes(%L, %L)', noun.name, noun.scope, noun.place);
    EXECUTE format('CREATE TRIGGER feed_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT
      EXECUTE FUNCTION log_changes(%L, %L)', noun.name, noun.scope, noun.place);
  END LOOP;
END $$;
--> statement-breakpoint
-- An entity's row counts its accounts, so it changes with them.
CREATE FUNCTION bump_entities_of_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('tieout.feed', true) = 'off' THEN RETURN NULL; END IF;
  IF tg_op = 'INSERT' THEN
    UPDATE entities SET version = version + 1 WHERE id IN (SELECT entity_id FROM new_rows);
  ELSIF tg_op = 'DELETE' THEN
    UPDATE entities SET version = version + 1 WHERE id IN (SELECT entity_id FROM old_rows);
  ELSE
    UPDATE entities SET version = version + 1 WHERE id IN (
      SELECT unnest(array[o.entity_id, n.entity_id]) FROM old_rows o JOIN new_rows n ON n.id = o.id
      WHERE (n.entity_id, n.is_inactive) IS DISTINCT FROM (o.entity_id, o.is_inactive));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER accounts_counted_insert AFTER INSERT ON accounts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bump_entities_of_accounts();
--> statement-breakpoint
CREATE TRIGGER accounts_counted_update AFTER UPDATE ON accounts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bump_entities_of_accounts();
--> statement-breakpoint
CREATE TRIGGER accounts_counted_delete AFTER DELETE ON accounts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION bump_entities_of_accounts();
--> statement-breakpoint
-- An account's row names its client, so it changes when the entity goes to another one; who sees what may change with it.
CREATE FUNCTION follow_moved_entities() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved uuid[] := array(SELECT n.id FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE n.client_id <> o.client_id);
BEGIN
  IF moved = '{}' THEN RETURN NULL; END IF;
  INSERT INTO change_log (scope, place, noun, row_id, op, version)
    SELECT 'client:' || o.client_id, a.entity_id, 'accounts', a.id, 'del', a.version + 1
    FROM old_rows o JOIN accounts a ON a.entity_id = o.id WHERE o.id = ANY (moved);
  UPDATE accounts SET version = version + 1 WHERE entity_id = ANY (moved);
  UPDATE users SET perm_version = perm_version + 1 WHERE id IN (
    SELECT m.user_id FROM organization_members m JOIN clients c ON c.organization_id = m.organization_id
    WHERE c.id IN (SELECT client_id FROM old_rows WHERE id = ANY (moved) UNION SELECT client_id FROM new_rows WHERE id = ANY (moved)));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER entities_moved AFTER UPDATE ON entities REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_moved_entities();
--> statement-breakpoint
-- The same for an entity's row, which names its organization, when the client goes to another one.
CREATE FUNCTION follow_moved_clients() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved uuid[] := array(SELECT n.id FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE n.organization_id <> o.organization_id);
BEGIN
  IF moved = '{}' THEN RETURN NULL; END IF;
  UPDATE entities SET version = version + 1 WHERE client_id = ANY (moved);
  UPDATE users SET perm_version = perm_version + 1 WHERE id IN (
    SELECT user_id FROM organization_members WHERE organization_id IN (
      SELECT organization_id FROM old_rows WHERE id = ANY (moved) UNION SELECT organization_id FROM new_rows WHERE id = ANY (moved)));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER clients_moved AFTER UPDATE ON clients REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_moved_clients();
--> statement-breakpoint
-- What a person may see or do changes with memberships, assignments, roles and the person's own row.
CREATE FUNCTION bump_permissions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op <> 'INSERT' THEN UPDATE users SET perm_version = perm_version + 1 WHERE id IN (SELECT user_id FROM old_rows); END IF;
  IF tg_op <> 'DELETE' THEN UPDATE users SET perm_version = perm_version + 1 WHERE id IN (SELECT user_id FROM new_rows); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY array['organization_members', 'client_assignments', 'entity_assignments'] LOOP
    EXECUTE format('CREATE TRIGGER permissions_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bump_permissions()', name);
    EXECUTE format('CREATE TRIGGER permissions_update AFTER UPDATE ON %I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bump_permissions()', name);
    EXECUTE format('CREATE TRIGGER permissions_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION bump_permissions()', name);
  END LOOP;
END $$;
--> statement-breakpoint
CREATE FUNCTION bump_permissions_of_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET perm_version = perm_version + 1 WHERE id IN (
    SELECT m.user_id FROM old_rows o JOIN new_rows n ON n.id = o.id JOIN organization_members m ON m.role_id = n.id
    WHERE (n.permissions, n.sees_whole_organization) IS DISTINCT FROM (o.permissions, o.sees_whole_organization));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER permissions_update AFTER UPDATE ON roles REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bump_permissions_of_role();
--> statement-breakpoint
CREATE FUNCTION bump_own_permissions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.perm_version := old.perm_version + 1;
  RETURN new;
END $$;
--> statement-breakpoint
CREATE TRIGGER permissions_own BEFORE UPDATE ON users FOR EACH ROW
  WHEN ((new.is_superuser, new.is_enabled) IS DISTINCT FROM (old.is_superuser, old.is_enabled)) EXECUTE FUNCTION bump_own_permissions();
--> statement-breakpoint
-- Whoever listens for a person is told when what they may see changed, and when a session of theirs ended.
CREATE FUNCTION tell_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_table_name = 'users' THEN
    PERFORM pg_notify('tieout_feed', 'user:' || n.id) FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE n.perm_version <> o.perm_version;
  ELSE
    PERFORM pg_notify('tieout_feed', 'user:' || n.user_id) FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE n.revoked_at IS DISTINCT FROM o.revoked_at;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER people_told AFTER UPDATE ON users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tell_people();
--> statement-breakpoint
CREATE TRIGGER people_told AFTER UPDATE ON sessions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tell_people();
