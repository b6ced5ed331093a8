CREATE TABLE "user_invitations" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"made_by" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_invitations_by_token" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "user_invitations" ADD CONSTRAINT "user_invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_invitations" ADD CONSTRAINT "user_invitations_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
SELECT audit_table('user_invitations', secrets => array['token_hash']);
--> statement-breakpoint
-- A person's row is told in each organization they work for; of who works for none, superusers are told. What changes their roles and
-- assignments changes the row's version already, with what they may see or do.
CREATE FUNCTION log_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('tieout.feed', true) = 'off' THEN RETURN NULL; END IF;
  INSERT INTO change_log (scope, place, noun, row_id, op, version)
    SELECT 'user', m.organization_id, 'users', n.id, 'put', n.version FROM new_rows n LEFT JOIN organization_members m ON m.user_id = n.id;
  -- nobody is woken by it: people sign in all day, and who looks at the list asks every few seconds. Whose rights change is told of those
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER feed_insert AFTER INSERT ON users REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_users();
--> statement-breakpoint
CREATE TRIGGER feed_update AFTER UPDATE ON users REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_users();
--> statement-breakpoint
-- Who left an organization is told there once more. Named to come after the trigger that gives the row its new version.
CREATE FUNCTION log_users_who_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('tieout.feed', true) = 'off' THEN RETURN NULL; END IF;
  INSERT INTO change_log (scope, place, noun, row_id, op, version)
    SELECT 'user', o.organization_id, 'users', u.id, 'del', u.version FROM old_rows o JOIN users u ON u.id = o.user_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_left AFTER DELETE ON organization_members REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION log_users_who_left();
--> statement-breakpoint
-- A person's row tells of the invitation that is open.
CREATE FUNCTION bump_invited_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('tieout.feed', true) = 'off' THEN RETURN NULL; END IF;
  IF tg_op = 'DELETE' THEN UPDATE users SET version = version + 1 WHERE id IN (SELECT user_id FROM old_rows);
  ELSE UPDATE users SET version = version + 1 WHERE id IN (SELECT user_id FROM new_rows); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER invited_insert AFTER INSERT ON user_invitations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bump_invited_users();
--> statement-breakpoint
CREATE TRIGGER invited_update AFTER UPDATE ON user_invitations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bump_invited_users();
--> statement-breakpoint
CREATE TRIGGER invited_delete AFTER DELETE ON user_invitations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION bump_invited_users();
--> statement-breakpoint
-- Who worked for an organization that is deleted, or comes back, sees and administers something else.
CREATE FUNCTION follow_deleted_organizations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET perm_version = perm_version + 1 WHERE id IN (
    SELECT m.user_id FROM old_rows o JOIN new_rows n ON n.id = o.id JOIN organization_members m ON m.organization_id = n.id
    WHERE n.deleted_at IS DISTINCT FROM o.deleted_at);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deleted_places AFTER UPDATE ON organizations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_organizations();
