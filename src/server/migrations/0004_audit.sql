-- Tells the audit trail what one statement changed, in one statement: an entry for each row that differs in more than what counts.
-- Its arguments are the columns that name the organization, the client and the entity of a row, '' for none, and the columns whose
-- values nobody may read: of those it is told that they changed, under their name without "_hash".
CREATE FUNCTION write_audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  old_side text := CASE tg_op WHEN 'INSERT' THEN format('(SELECT * FROM %I WHERE false)', tg_table_name) ELSE 'old_rows' END;
  new_side text := CASE tg_op WHEN 'DELETE' THEN format('(SELECT * FROM %I WHERE false)', tg_table_name) ELSE 'new_rows' END;
  secrets text[] := string_to_array(tg_argv[3], ' ');
  place text[];
  same_row text;
  row_id text;
  a_key text;
  old_fields text;
  new_fields text;
  old_values text;
  new_values text;
  unchanged text;
  is_kept boolean;
BEGIN
  IF current_setting('tieout.feed', true) = 'off' THEN RETURN NULL; END IF;
  -- an upsert is an insert and an update, also where it met no row of the one or the other
  IF tg_op = 'INSERT' THEN IF NOT EXISTS (SELECT FROM new_rows) THEN RETURN NULL; END IF; END IF;
  IF tg_op = 'UPDATE' THEN IF NOT EXISTS (SELECT FROM new_rows) THEN RETURN NULL; END IF; END IF;
  SELECT string_agg(format('o.%1$I = n.%1$I', attname), ' AND '),
      format('concat_ws('' '', %s)', string_agg(format('coalesce(n.%1$I, o.%1$I)', attname), ', ' ORDER BY attnum)),
      format('%I', min(attname))
    INTO same_row, row_id, a_key
    FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey) WHERE indrelid = tg_relid AND indisprimary;
  SELECT string_agg(format(told, 'o', column_name, name), ', ' ORDER BY attnum),
      string_agg(format(CASE WHEN is_secret THEN 'CASE WHEN n.%2$I IS NULL THEN NULL WHEN o.%2$I IS NULL THEN ''set'' ELSE ''changed'' END AS %3$I'
        ELSE told END, 'n', column_name, name), ', ' ORDER BY attnum),
      string_agg(format('o.%I', column_name), ', ' ORDER BY attnum),
      string_agg(format('n.%I', column_name), ', ' ORDER BY attnum),
      string_agg(format('CASE WHEN o.%1$I IS NOT DISTINCT FROM n.%1$I THEN %2$L END', column_name, name), ', '),
      bool_or(column_name = 'deleted_at')
    INTO old_fields, new_fields, old_values, new_values, unchanged, is_kept
    FROM (SELECT attnum, attname AS column_name, attname = ANY (secrets) AS is_secret,
        CASE WHEN attname = ANY (secrets) THEN regexp_replace(attname, '_hash$', '') ELSE attname END AS name,
        -- decimals as text, since a reader may know floats alone; moments as the wire has them
        CASE WHEN attname = ANY (secrets) THEN 'CASE WHEN %1$s.%2$I IS NOT NULL THEN ''set'' END AS %3$I'
          WHEN atttypid = 'numeric'::regtype THEN '%1$s.%2$I::text AS %3$I'
          WHEN atttypid = 'timestamptz'::regtype THEN 'to_char(%1$s.%2$I AT TIME ZONE ''UTC'', ''YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'') AS %3$I'
          ELSE '%1$s.%2$I AS %3$I' END AS told
      FROM pg_attribute WHERE attrelid = tg_relid AND attnum > 0 AND NOT attisdropped
        AND attname <> ALL (array['version', 'perm_version', 'last_update'])) columns;
  SELECT array_agg(CASE WHEN tg_argv[i] = '' THEN 'NULL::uuid' ELSE format('coalesce(n.%1$I, o.%1$I)', tg_argv[i]) END ORDER BY i)
    INTO place FROM generate_series(0, 2) i;
  EXECUTE format('INSERT INTO audit_entries (user_id, organization_id, client_id, entity_id, noun, row_id, action, before, after)
    SELECT nullif(current_setting(''tieout.user'', true), '''')::uuid, coalesce(p.organization_id, c.organization_id),
      coalesce(p.client_id, e.client_id), p.entity_id, %L, p.row_id, p.action,
      CASE p.action WHEN ''update'' THEN p.before - p.unchanged WHEN ''delete'' THEN p.before END,
      CASE p.action WHEN ''update'' THEN p.after - p.unchanged WHEN ''create'' THEN p.after END
    FROM (SELECT %s AS row_id, %s AS organization_id, %s AS client_id, %s AS entity_id,
        CASE WHEN n.%s IS NULL THEN ''delete'' WHEN o.%s IS NULL THEN ''create'' %s ELSE ''update'' END AS action,
        (SELECT to_jsonb(f) FROM (SELECT %s) f) AS before, (SELECT to_jsonb(f) FROM (SELECT %s) f) AS after,
        array_remove(array[%s], NULL) AS unchanged
      FROM %s o FULL JOIN %s n ON %s WHERE ROW(%s) IS DISTINCT FROM ROW(%s)) p
    LEFT JOIN entities e ON e.id = p.entity_id LEFT JOIN clients c ON c.id = coalesce(p.client_id, e.client_id)',
    tg_table_name, row_id, place[1], place[2], place[3], a_key, a_key,
    -- a row that is kept when it is deleted goes, and comes back, with this field
    CASE WHEN is_kept THEN 'WHEN o.deleted_at IS NULL AND n.deleted_at IS NOT NULL THEN ''delete''
      WHEN o.deleted_at IS NOT NULL AND n.deleted_at IS NULL THEN ''create''' ELSE '' END,
    old_fields, new_fields, unchanged, old_side, new_side, same_row, old_values, new_values);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Has every change of a table told from now on; a later migration that makes a table calls it, too:
--   SELECT audit_table('accounts', entity => 'entity_id');
CREATE FUNCTION audit_table(noun text, organization text DEFAULT '', client text DEFAULT '', entity text DEFAULT '',
  secrets text DEFAULT '', inserts boolean DEFAULT true) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  told text := format('FOR EACH STATEMENT EXECUTE FUNCTION write_audit(%L, %L, %L, %L)', organization, client, entity, secrets);
BEGIN
  IF inserts THEN
    EXECUTE format('CREATE TRIGGER audit_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows %s', noun, told);
  END IF;
  EXECUTE format('CREATE TRIGGER audit_update AFTER UPDATE ON %I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows %s', noun, told);
  EXECUTE format('CREATE TRIGGER audit_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS old_rows %s', noun, told);
END $$;
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
  audit_table('users', secrets => 'password_hash'),
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
