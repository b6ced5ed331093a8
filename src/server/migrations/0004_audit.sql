-- Has every change of a table told from now on: what one statement changed is written in one statement, an entry for each row that
-- differs in more than what counts. A later migration that makes a table, or gives one another column, calls it:
--   SELECT audit_table('accounts', entity => 'entity_id');
-- It takes the columns that name the organization, the client and the entity of a row, and those whose values nobody may read: of
-- these it is told that they changed, under their name without "_hash". The columns are written into a function of the table's own,
-- so that its plans are kept: finding them anew for each statement took longer than most changes themselves.
CREATE FUNCTION audit_table(noun text, organization text DEFAULT '', client text DEFAULT '', entity text DEFAULT '',
  secrets text[] DEFAULT '{}', inserts boolean DEFAULT true) RETURNS void LANGUAGE plpgsql AS $audit$
DECLARE
  writer text := 'audit_' || noun;
  nothing text := format('(SELECT * FROM %I WHERE false)', noun);
  places text[];
  same_row text;
  row_id text;
  a_key text;
  old_fields text;
  new_fields text;
  old_values text;
  new_values text;
  old_differing text;
  new_differing text;
  differing text := 'CASE WHEN o.%1$I IS DISTINCT FROM n.%1$I THEN jsonb_build_object(%2$L, %3$s) ELSE ''{}''::jsonb END';
  is_kept boolean;
  entries text;
BEGIN
  SELECT string_agg(format('o.%1$I = n.%1$I', attname), ' AND '),
      format('concat_ws('' '', %s)', string_agg(format('coalesce(n.%1$I, o.%1$I)', attname), ', ' ORDER BY attnum)),
      format('%I', min(attname))
    INTO same_row, row_id, a_key
    FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey) WHERE indrelid = noun::regclass AND indisprimary;
  SELECT array_agg(CASE column_name WHEN '' THEN 'NULL::uuid' ELSE format('coalesce(n.%1$I, o.%1$I)', column_name) END ORDER BY i)
    INTO places FROM unnest(array[organization, client, entity]) WITH ORDINALITY place (column_name, i);
  SELECT string_agg(format('%s AS %I', old_told, name), ', ' ORDER BY attnum),
      string_agg(format('%s AS %I', new_told, name), ', ' ORDER BY attnum),
      -- this takes as long as there are fields that differ, and of most changes it is one
      string_agg(format(differing, column_name, name, old_told), ' || '),
      string_agg(format(differing, column_name, name, new_told), ' || '),
      string_agg(format('o.%I', column_name), ', ' ORDER BY attnum),
      string_agg(format('n.%I', column_name), ', ' ORDER BY attnum),
      bool_or(column_name = 'deleted_at')
    INTO old_fields, new_fields, old_differing, new_differing, old_values, new_values, is_kept
    FROM (SELECT attnum, column_name, CASE WHEN is_secret THEN regexp_replace(column_name, '_hash$', '') ELSE column_name END AS name,
        format(told, 'o', column_name) AS old_told,
        CASE WHEN is_secret THEN format('CASE WHEN n.%1$I IS NULL THEN NULL WHEN o.%1$I IS NULL THEN ''set'' ELSE ''changed'' END', column_name)
          ELSE format(told, 'n', column_name) END AS new_told
      FROM (SELECT attnum, attname::text AS column_name, attname = ANY (secrets) AS is_secret,
          -- decimals as text, since a reader may know floats alone; moments as the wire has them
          CASE WHEN attname = ANY (secrets) THEN 'CASE WHEN %1$s.%2$I IS NOT NULL THEN ''set'' END'
            WHEN atttypid = 'numeric'::regtype THEN '%1$s.%2$I::text'
            WHEN atttypid = 'timestamptz'::regtype THEN 'to_char(%1$s.%2$I AT TIME ZONE ''UTC'', ''YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'')'
            ELSE '%1$s.%2$I' END AS told
        FROM pg_attribute WHERE attrelid = noun::regclass AND attnum > 0 AND NOT attisdropped
          AND attname <> ALL (array['version', 'perm_version', 'last_update'])) columns) fields;
  -- the sides are filled in below. A full join, also where there is but one: it takes any number of rows by the plan of a few, and a
  -- row whose key changed is told as deleted and made
  entries := format('INSERT INTO audit_entries (user_id, organization_id, client_id, entity_id, noun, row_id, action, before, after)
    SELECT nullif(current_setting(''tieout.user'', true), '''')::uuid, coalesce(p.organization_id, c.organization_id),
      coalesce(p.client_id, e.client_id), p.entity_id, %L, p.row_id, p.action,
      CASE p.action WHEN ''update'' THEN p.old_differing WHEN ''delete'' THEN p.before END,
      CASE p.action WHEN ''update'' THEN p.new_differing WHEN ''create'' THEN p.after END
    FROM (SELECT %s AS row_id, %s AS organization_id, %s AS client_id, %s AS entity_id,
        CASE WHEN n.%s IS NULL THEN ''delete'' WHEN o.%s IS NULL THEN ''create'' %s ELSE ''update'' END AS action,
        (SELECT to_jsonb(f) FROM (SELECT %s) f) AS before, (SELECT to_jsonb(f) FROM (SELECT %s) f) AS after,
        %s AS old_differing, %s AS new_differing
      FROM %%s o FULL JOIN %%s n ON %s WHERE ROW(%s) IS DISTINCT FROM ROW(%s)) p
    LEFT JOIN entities e ON e.id = p.entity_id LEFT JOIN clients c ON c.id = coalesce(p.client_id, e.client_id)',
    noun, row_id, places[1], places[2], places[3], a_key, a_key,
    -- a row that is kept when it is deleted goes, and comes back, with this field
    CASE WHEN is_kept THEN 'WHEN o.deleted_at IS NULL AND n.deleted_at IS NOT NULL THEN ''delete''
      WHEN o.deleted_at IS NOT NULL AND n.deleted_at IS NULL THEN ''create''' ELSE '' END,
    old_fields, new_fields, old_differing, new_differing, same_row, old_values, new_values);
  -- a plan made for many rows is kept for one: compiling it anew each time took a hundred times as long as running it
  EXECUTE format('CREATE OR REPLACE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql SET jit = off AS $writer$
    BEGIN
      IF current_setting(''tieout.feed'', true) = ''off'' THEN RETURN NULL; END IF;
      CASE tg_op WHEN ''INSERT'' THEN %s; WHEN ''UPDATE'' THEN %s; ELSE %s; END CASE;
      RETURN NULL;
    END $writer$', writer, format(entries, nothing, 'new_rows'), format(entries, 'old_rows', 'new_rows'), format(entries, 'old_rows', nothing));
  IF inserts THEN
    EXECUTE format('CREATE OR REPLACE TRIGGER audit_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION %I()', noun, writer);
  END IF;
  EXECUTE format('CREATE OR REPLACE TRIGGER audit_update AFTER UPDATE ON %I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION %I()', noun, writer);
  EXECUTE format('CREATE OR REPLACE TRIGGER audit_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION %I()', noun, writer);
END $audit$;
--> statement-breakpoint
SELECT audit_table('organizations', organization => 'id'),
  audit_table('clients', organization => 'organization_id', client => 'id'),
  audit_table('entities', client => 'client_id', entity => 'id'),
  audit_table('accounts', entity => 'entity_id'),
  audit_table('custodians'),
  audit_table('securities'),
  audit_table('custodian_securities'),
  -- raw data tells of the rows an import made
  audit_table('transactions', entity => 'entity_id', inserts => false),
  audit_table('transaction_matches', entity => 'entity_id'),
  audit_table('users', secrets => array['password_hash']),
  audit_table('roles'),
  audit_table('organization_members', organization => 'organization_id'),
  audit_table('client_assignments', client => 'client_id'),
  audit_table('entity_assignments', entity => 'entity_id'),
  audit_table('archived_assets', client => 'client_id');
--> statement-breakpoint
CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'What the audit trail says is never changed';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit();
