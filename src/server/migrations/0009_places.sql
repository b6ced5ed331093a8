CREATE TABLE "allocation_methods" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "entities" ADD COLUMN "allocation_method_id" integer;--> statement-breakpoint
ALTER TABLE "entities" ADD CONSTRAINT "entities_allocation_method_id_allocation_methods_id_fk" FOREIGN KEY ("allocation_method_id") REFERENCES "public"."allocation_methods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
SELECT audit_table('entities', client => 'client_id', entity => 'id');
--> statement-breakpoint
-- What a client keeps aside is told to who sees the client, as the other nouns are.
CREATE TRIGGER feed_version BEFORE UPDATE ON archived_assets FOR EACH ROW
  WHEN (new.version <= old.version AND new.* IS DISTINCT FROM old.* AND current_setting('tieout.feed', true) IS DISTINCT FROM 'off')
  EXECUTE FUNCTION bump_version();
--> statement-breakpoint
CREATE TRIGGER feed_insert AFTER INSERT ON archived_assets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION log_changes('''user''', 'r.client_id');
--> statement-breakpoint
CREATE TRIGGER feed_update AFTER UPDATE ON archived_assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION log_changes('''user''', 'r.client_id');
--> statement-breakpoint
CREATE TRIGGER feed_delete AFTER DELETE ON archived_assets REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT
  EXECUTE FUNCTION log_changes('''user''', 'r.client_id');
--> statement-breakpoint
-- An id that was let go of goes on counting where it ended.
CREATE INDEX change_log_archived_assets ON change_log (row_id) WHERE noun = 'archived_assets';
