CREATE TABLE "accounting_systems" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"entity_id" uuid NOT NULL,
	"custodian_id" uuid NOT NULL,
	"parent_account_id" uuid,
	"account_name" text NOT NULL,
	"account_integration_type_id" smallint NOT NULL,
	"account_type_id" smallint NOT NULL,
	"blockchain" text,
	"address" text,
	"currency" text,
	"is_inactive" boolean DEFAULT false NOT NULL,
	"last_update" timestamp (3) with time zone,
	"version" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_place" UNIQUE("id","entity_id","custodian_id")
);
--> statement-breakpoint
CREATE TABLE "client_assignments" (
	"user_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	CONSTRAINT "client_assignments_user_id_client_id_pk" PRIMARY KEY("user_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"client_name" text NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "custodian_securities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"custodian_id" uuid NOT NULL,
	"symbol" text NOT NULL,
	"security_id" uuid,
	"version" bigint DEFAULT 1 NOT NULL,
	CONSTRAINT "custodian_securities_by_symbol" UNIQUE("custodian_id","symbol")
);
--> statement-breakpoint
CREATE TABLE "custodian_types" (
	"id" integer PRIMARY KEY NOT NULL,
	"custodian_type_name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "custodians" (
	"id" uuid PRIMARY KEY NOT NULL,
	"custodian_name" text NOT NULL,
	"custodian_type_id" integer NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "entities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"entity_name" text NOT NULL,
	"entity_type_id" integer,
	"portfolio_id" text,
	"fund_id" text,
	"state" text,
	"city" text,
	"zip_code" text,
	"country" text,
	"accounting_system_id" integer,
	"active" boolean DEFAULT true NOT NULL,
	"last_update" timestamp (3) with time zone,
	"version" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "entity_assignments" (
	"user_id" uuid NOT NULL,
	"entity_id" uuid NOT NULL,
	CONSTRAINT "entity_assignments_user_id_entity_id_pk" PRIMARY KEY("user_id","entity_id")
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"user_id" uuid NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" smallint,
	"body" json,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "organization_members" (
	"user_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"role_id" text NOT NULL,
	CONSTRAINT "organization_members_user_id_organization_id_pk" PRIMARY KEY("user_id","organization_id")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "raw_data" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"source" text NOT NULL,
	"parser_version" integer NOT NULL,
	"natural_key" text NOT NULL,
	"content_hash" text NOT NULL,
	"supersedes" uuid,
	"file_name" text,
	"row_number" integer,
	"payload" jsonb NOT NULL,
	"status" text NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "raw_data_content" UNIQUE("account_id","natural_key","content_hash")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"sees_whole_organization" boolean NOT NULL,
	"permissions" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "securities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"security_name" text NOT NULL,
	"security_type_id" integer NOT NULL,
	"ticker" text NOT NULL,
	"dart_security_id" text,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "security_types" (
	"id" integer PRIMARY KEY NOT NULL,
	"security_type_name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "session_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "transaction_matches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"entity_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"out_trx_id" uuid,
	"in_trx_id" uuid,
	"quantity_difference" numeric,
	"reason" text,
	"score" integer,
	"source" text NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"version" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"entity_id" uuid NOT NULL,
	"custodian_id" uuid NOT NULL,
	"security_id" uuid,
	"custodian_security_id" uuid,
	"trx_type_id" smallint NOT NULL,
	"trx_date" timestamp (3) with time zone NOT NULL,
	"quantity" numeric NOT NULL,
	"price" numeric,
	"usd_value" numeric,
	"fee_quantity" numeric,
	"fee_security_id" uuid,
	"fee_usd" numeric,
	"tx_hash" text,
	"from_address" text,
	"to_address" text,
	"description" text,
	"trade_group_id" uuid,
	"manual_trx" boolean DEFAULT false NOT NULL,
	"updated_trx" boolean DEFAULT false NOT NULL,
	"unpriced_trx" boolean DEFAULT false NOT NULL,
	"is_unidentified" boolean DEFAULT false NOT NULL,
	"match_state" text,
	"natural_key" text,
	"raw_data_id" uuid,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"password_hash" text,
	"is_superuser" boolean DEFAULT false NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_custodian_id_custodians_id_fk" FOREIGN KEY ("custodian_id") REFERENCES "public"."custodians"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_parent" FOREIGN KEY ("parent_account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_assignments" ADD CONSTRAINT "client_assignments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_assignments" ADD CONSTRAINT "client_assignments_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custodian_securities" ADD CONSTRAINT "custodian_securities_custodian_id_custodians_id_fk" FOREIGN KEY ("custodian_id") REFERENCES "public"."custodians"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custodian_securities" ADD CONSTRAINT "custodian_securities_security_id_securities_id_fk" FOREIGN KEY ("security_id") REFERENCES "public"."securities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custodians" ADD CONSTRAINT "custodians_custodian_type_id_custodian_types_id_fk" FOREIGN KEY ("custodian_type_id") REFERENCES "public"."custodian_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entities" ADD CONSTRAINT "entities_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entities" ADD CONSTRAINT "entities_accounting_system_id_accounting_systems_id_fk" FOREIGN KEY ("accounting_system_id") REFERENCES "public"."accounting_systems"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_assignments" ADD CONSTRAINT "entity_assignments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_assignments" ADD CONSTRAINT "entity_assignments_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "raw_data" ADD CONSTRAINT "raw_data_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "securities" ADD CONSTRAINT "securities_security_type_id_security_types_id_fk" FOREIGN KEY ("security_type_id") REFERENCES "public"."security_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_tokens" ADD CONSTRAINT "session_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transaction_matches" ADD CONSTRAINT "transaction_matches_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transaction_matches" ADD CONSTRAINT "transaction_matches_out_trx_id_transactions_id_fk" FOREIGN KEY ("out_trx_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transaction_matches" ADD CONSTRAINT "transaction_matches_in_trx_id_transactions_id_fk" FOREIGN KEY ("in_trx_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transaction_matches" ADD CONSTRAINT "transaction_matches_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_security_id_securities_id_fk" FOREIGN KEY ("security_id") REFERENCES "public"."securities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_custodian_security_id_custodian_securities_id_fk" FOREIGN KEY ("custodian_security_id") REFERENCES "public"."custodian_securities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_raw_data_id_raw_data_id_fk" FOREIGN KEY ("raw_data_id") REFERENCES "public"."raw_data"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_place" FOREIGN KEY ("account_id","entity_id","custodian_id") REFERENCES "public"."accounts"("id","entity_id","custodian_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_by_entity" ON "accounts" USING btree ("entity_id");--> statement-breakpoint
CREATE INDEX "accounts_by_custodian" ON "accounts" USING btree ("custodian_id");--> statement-breakpoint
CREATE INDEX "clients_by_organization" ON "clients" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "entities_by_client" ON "entities" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "idempotency_by_age" ON "idempotency" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "raw_data_by_account" ON "raw_data" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "securities_by_ticker" ON "securities" USING btree ("ticker","security_type_id");--> statement-breakpoint
CREATE INDEX "session_tokens_by_session" ON "session_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "session_tokens_by_expiry" ON "session_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_by_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "transaction_matches_by_entity" ON "transaction_matches" USING btree ("entity_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "transaction_matches_out" ON "transaction_matches" USING btree ("out_trx_id") WHERE state <> 'REJECTED';--> statement-breakpoint
CREATE UNIQUE INDEX "transaction_matches_in" ON "transaction_matches" USING btree ("in_trx_id") WHERE state <> 'REJECTED';--> statement-breakpoint
CREATE UNIQUE INDEX "transaction_matches_pair" ON "transaction_matches" USING btree ("out_trx_id","in_trx_id");--> statement-breakpoint
CREATE INDEX "transactions_by_entity" ON "transactions" USING btree ("entity_id","trx_date","id");--> statement-breakpoint
CREATE INDEX "transactions_by_account" ON "transactions" USING btree ("account_id","trx_date","id");--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_by_natural_key" ON "transactions" USING btree ("account_id","natural_key") WHERE natural_key is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_by_email" ON "users" USING btree (lower("email"));