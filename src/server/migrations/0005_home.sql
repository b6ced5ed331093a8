CREATE TABLE "account_syncs" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "entity_worklists" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "value_histories" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_syncs" ADD CONSTRAINT "account_syncs_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_worklists" ADD CONSTRAINT "entity_worklists_id_entities_id_fk" FOREIGN KEY ("id") REFERENCES "public"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "value_histories" ADD CONSTRAINT "value_histories_id_entities_id_fk" FOREIGN KEY ("id") REFERENCES "public"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transaction_matches_pending" ON "transaction_matches" USING btree ("entity_id") WHERE state = 'PENDING';--> statement-breakpoint
CREATE INDEX "transactions_unpriced" ON "transactions" USING btree ("entity_id") WHERE unpriced_trx;--> statement-breakpoint
CREATE INDEX "transactions_unidentified" ON "transactions" USING btree ("entity_id") WHERE is_unidentified;
--> statement-breakpoint
INSERT INTO entity_worklists (id) SELECT id FROM entities;
--> statement-breakpoint
INSERT INTO value_histories (id) SELECT id FROM entities;
--> statement-breakpoint
CREATE FUNCTION make_figures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO entity_worklists (id) SELECT id FROM new_rows;
  INSERT INTO value_histories (id) SELECT id FROM new_rows;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER figures_made AFTER INSERT ON entities REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION make_figures();
--> statement-breakpoint
DO $$
DECLARE
  noun text;
  -- whoever sees all of a client is told of what went with an entity that is no more
  place text := '(select e.client_id from entities e where e.id = r.id)';
  scope text := format('''client:'' || %s', place);
BEGIN
  FOREACH noun IN ARRAY array['entity_worklists', 'value_histories'] LOOP
    EXECUTE format('CREATE TRIGGER feed_version BEFORE UPDATE ON %I FOR EACH ROW
      WHEN (new.version <= old.version AND new.* IS DISTINCT FROM old.* AND current_setting(''tieout.feed'', true) IS DISTINCT FROM ''off'')
      EXECUTE FUNCTION bump_version()', noun);
    EXECUTE format('CREATE TRIGGER feed_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
      EXECUTE FUNCTION log_changes(%L, %L)', noun, scope, place);
    EXECUTE format('CREATE TRIGGER feed_update AFTER UPDATE ON %I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
      EXECUTE FUNCTION log_changes(%L, %L)', noun, scope, place);
    EXECUTE format('CREATE TRIGGER feed_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT
      EXECUTE FUNCTION log_changes(%L, %L)', noun, scope, place);
  END LOOP;
END $$;
--> statement-breakpoint
-- They go before the entity does: whose it was says whom to tell.
CREATE FUNCTION forget_figures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM entity_worklists WHERE id = old.id;
  DELETE FROM value_histories WHERE id = old.id;
  RETURN old;
END $$;
--> statement-breakpoint
CREATE TRIGGER figures_forgotten BEFORE DELETE ON entities FOR EACH ROW EXECUTE FUNCTION forget_figures();
--> statement-breakpoint
-- Lets rows counted from others change with them. Its arguments, of a row r that may count: the table of the rows counted, the one of
-- them it counts for, what tells it from others of its table, and what of it counts, null where it does not. Rows are locked in one order.
CREATE FUNCTION touch_counted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  rows_of text := format('SELECT %s AS counted, %s AS key, %s AS counts FROM %%I r', tg_argv[1], tg_argv[2], tg_argv[3]);
  changed text := CASE tg_op
    WHEN 'INSERT' THEN format('SELECT counted FROM (%s) a WHERE counts IS NOT NULL', format(rows_of, 'new_rows'))
    WHEN 'DELETE' THEN format('SELECT counted FROM (%s) b WHERE counts IS NOT NULL', format(rows_of, 'old_rows'))
    ELSE format('SELECT unnest(array[b.counted, a.counted]) FROM (%s) b JOIN (%s) a USING (key)
      WHERE (b.counted, b.counts) IS DISTINCT FROM (a.counted, a.counts) AND coalesce(b.counts, a.counts) IS NOT NULL', format(rows_of, 'old_rows'), format(rows_of, 'new_rows'))
  END;
BEGIN
  -- who writes many rows at once counts them himself, at the end: until then others are not kept waiting
  IF current_setting('tieout.feed', true) = 'off' OR current_setting('tieout.counted', true) = 'off' THEN RETURN NULL; END IF;
  EXECUTE format('UPDATE %1$I SET version = version + 1 WHERE id IN (
    SELECT id FROM %1$I WHERE id IN (%2$s) ORDER BY id FOR NO KEY UPDATE)', tg_argv[0], changed);
  RETURN NULL;
END $$;
--> statement-breakpoint
DO $$
DECLARE
  rule record;
  arguments text;
  entity_of_account text := '(select a.entity_id from accounts a where a.id = r.account_id)';
BEGIN
  FOR rule IN SELECT * FROM (VALUES
    ('transactions', 'entity_worklists', 'r.entity_id', 'r.id',
      'case when r.unpriced_trx or r.is_unidentified or r.match_state = ''PENDING'' then concat_ws('' '', r.unpriced_trx, r.is_unidentified, r.match_state, r.usd_value) end'),
    ('transaction_matches', 'entity_worklists', 'r.entity_id', 'r.id',
      'case when r.state = ''PENDING'' then concat_ws('' '', ''legs'', r.out_trx_id, r.in_trx_id) end'),
    ('accounts', 'entity_worklists', 'r.entity_id', 'r.id',
      'case when not r.is_inactive then concat_ws('' '', r.account_integration_type_id, r.last_update) end'),
    ('accounts', 'value_histories', 'r.entity_id', 'r.id', 'concat_ws('' '', r.account_integration_type_id, r.account_type_id)'),
    ('account_syncs', 'entity_worklists', entity_of_account, 'r.account_id', 'r.status'),
    ('account_syncs', 'accounts', 'r.account_id', 'r.account_id', 'r.status'),
    ('account_values', 'value_histories', entity_of_account, 'r.account_id', 'r.value_usd'),
    ('account_values', 'accounts', 'r.account_id', 'r.account_id', 'r.value_usd'),
    ('account_values', 'entities', entity_of_account, 'r.account_id', 'r.value_usd'),
    ('entity_values', 'value_histories', 'r.entity_id', 'concat_ws('' '', r.entity_id, r.day)', 'r.value_usd'),
    ('account_reconciliations', 'entity_worklists', entity_of_account, 'concat_ws('' '', r.account_id, r.end_date)', 'concat_ws('' '', r.status, r.breaks)'),
    ('account_reconciliations', 'accounts', 'r.account_id', 'concat_ws('' '', r.account_id, r.end_date)', 'r.status'),
    ('account_reconciliations', 'entities', entity_of_account, 'concat_ws('' '', r.account_id, r.end_date)', 'r.status')
  ) AS rules (name, counted, of, key, counts) LOOP
    arguments := format('%L, %L, %L, %L', rule.counted, rule.of, rule.key, rule.counts);
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
      EXECUTE FUNCTION touch_counted(%s)', 'insert_counts_in_' || rule.counted, rule.name, arguments);
    EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
      EXECUTE FUNCTION touch_counted(%s)', 'update_counts_in_' || rule.counted, rule.name, arguments);
    EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %I REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT
      EXECUTE FUNCTION touch_counted(%s)', 'delete_counts_in_' || rule.counted, rule.name, arguments);
  END LOOP;
END $$;
--> statement-breakpoint
-- These rows name their client, too, and so change when the entity goes to another one.
CREATE FUNCTION follow_moved_figures() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved uuid[] := array(SELECT n.id FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE n.client_id <> o.client_id);
BEGIN
  IF moved = '{}' THEN RETURN NULL; END IF;
  INSERT INTO change_log (scope, place, noun, row_id, op, version)
    SELECT 'client:' || o.client_id, o.client_id, f.noun, o.id, 'del', f.version + 1
    FROM old_rows o JOIN (SELECT 'entity_worklists' AS noun, id, version FROM entity_worklists
      UNION ALL SELECT 'value_histories', id, version FROM value_histories) f ON f.id = o.id WHERE o.id = ANY (moved);
  UPDATE entity_worklists SET version = version + 1 WHERE id = ANY (moved);
  UPDATE value_histories SET version = version + 1 WHERE id = ANY (moved);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER figures_moved AFTER UPDATE ON entities REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_moved_figures();
