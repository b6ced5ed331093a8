ALTER TABLE "feed_state" ADD COLUMN "cluster" text;--> statement-breakpoint
ALTER TABLE "feed_state" ADD COLUMN "place" text;