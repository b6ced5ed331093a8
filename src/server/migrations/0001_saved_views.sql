CREATE TABLE "saved_views" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"search" text NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "saved_views_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "saved_views_by_name" UNIQUE("user_id","list","name_key")
);
--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;