CREATE TABLE "devices" (
	"user_id" uuid NOT NULL,
	"browser" text NOT NULL,
	"device_id" text NOT NULL,
	"pending" integer NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"heard_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "devices_user_id_browser_device_id_pk" PRIMARY KEY("user_id","browser","device_id")
);
--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "devices_by_age" ON "devices" USING btree ("heard_at");