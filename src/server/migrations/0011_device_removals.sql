CREATE TABLE "device_removals" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"browser" text NOT NULL,
	"device_id" text NOT NULL,
	"reason" text NOT NULL,
	"ordered_at" timestamp (3) with time zone NOT NULL,
	"done_at" timestamp (3) with time zone,
	"lost_edits" integer,
	"lost_kinds" text,
	CONSTRAINT "device_removals_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "browser" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device_id" text;--> statement-breakpoint
ALTER TABLE "device_removals" ADD CONSTRAINT "device_removals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "device_removals_open" ON "device_removals" USING btree ("user_id","browser","device_id") WHERE done_at is null;--> statement-breakpoint
-- Who knows both names of a device speaks for it.
SELECT audit_table('device_removals', secrets => array['browser', 'device_id']);
