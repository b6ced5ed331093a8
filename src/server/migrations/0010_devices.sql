CREATE TABLE "devices" (
	"user_id" uuid NOT NULL,
	"browser" text NOT NULL,
	"device_id" text NOT NULL,
	"pending" integer NOT NULL,
	"heard_at" timestamp (3) with time zone NOT NULL,
	"lost_pending" integer,
	"lost_at" timestamp (3) with time zone,
	CONSTRAINT "devices_user_id_browser_pk" PRIMARY KEY("user_id","browser")
);
--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "devices_by_age" ON "devices" USING btree ("heard_at");