CREATE TABLE "account_reconciliations" (
	"account_id" uuid NOT NULL,
	"end_date" date NOT NULL,
	"status" text NOT NULL,
	"last_snapshot_at" timestamp (3) with time zone,
	"breaks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "account_reconciliations_account_id_end_date_pk" PRIMARY KEY("account_id","end_date")
);
--> statement-breakpoint
CREATE TABLE "account_values" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"as_of" timestamp (3) with time zone NOT NULL,
	"value_usd" numeric NOT NULL,
	"unpriced" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "archived_assets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"security_id" uuid NOT NULL,
	"is_spam" boolean NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "archived_assets_by_security" UNIQUE("client_id","security_id")
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"user_id" uuid,
	"organization_id" uuid,
	"client_id" uuid,
	"entity_id" uuid,
	"noun" text NOT NULL,
	"row_id" text NOT NULL,
	"action" text NOT NULL,
	"before" jsonb,
	"after" jsonb
);
--> statement-breakpoint
CREATE TABLE "entity_values" (
	"entity_id" uuid NOT NULL,
	"day" date NOT NULL,
	"value_usd" numeric NOT NULL,
	CONSTRAINT "entity_values_entity_id_day_pk" PRIMARY KEY("entity_id","day")
);
--> statement-breakpoint
CREATE TABLE "oauth_attempts" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"browser_hash" text NOT NULL,
	"code_verifier" text NOT NULL,
	"nonce" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "entities" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "version" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "account_reconciliations" ADD CONSTRAINT "account_reconciliations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_values" ADD CONSTRAINT "account_values_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "archived_assets" ADD CONSTRAINT "archived_assets_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "archived_assets" ADD CONSTRAINT "archived_assets_security_id_securities_id_fk" FOREIGN KEY ("security_id") REFERENCES "public"."securities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_values" ADD CONSTRAINT "entity_values_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_identities" ADD CONSTRAINT "user_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entries_by_organization" ON "audit_entries" USING btree ("organization_id","seq");--> statement-breakpoint
CREATE INDEX "audit_entries_by_row" ON "audit_entries" USING btree ("row_id","seq");--> statement-breakpoint
CREATE INDEX "oauth_attempts_by_expiry" ON "oauth_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "user_identities_by_user" ON "user_identities" USING btree ("user_id");
--> statement-breakpoint
CREATE TRIGGER feed_version BEFORE UPDATE ON users FOR EACH ROW
  WHEN (new.version <= old.version AND new.* IS DISTINCT FROM old.* AND current_setting('tieout.feed', true) IS DISTINCT FROM 'off')
  EXECUTE FUNCTION bump_version();
--> statement-breakpoint
-- What lies in a client or an entity that is deleted, or brought back, is seen no more, or again: everybody's lists are read anew.
CREATE FUNCTION follow_deleted_places() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_clients uuid[] := CASE tg_table_name
    WHEN 'clients' THEN array(SELECT n.id FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE n.deleted_at IS DISTINCT FROM o.deleted_at)
    ELSE array(SELECT (to_jsonb(n)->>'client_id')::uuid FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE n.deleted_at IS DISTINCT FROM o.deleted_at)
  END;
BEGIN
  IF of_clients = '{}' THEN RETURN NULL; END IF;
  UPDATE users SET perm_version = perm_version + 1 WHERE is_superuser OR id IN (
    SELECT m.user_id FROM organization_members m JOIN clients c ON c.organization_id = m.organization_id WHERE c.id = ANY (of_clients));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deleted_places AFTER UPDATE ON clients REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_places();
--> statement-breakpoint
CREATE TRIGGER deleted_places AFTER UPDATE ON entities REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_places();
