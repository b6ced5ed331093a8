CREATE TABLE "cron_jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"job_type_id" smallint NOT NULL,
	"schedule" text NOT NULL,
	"next_run_at" timestamp (3) with time zone NOT NULL,
	"last_started_at" timestamp (3) with time zone,
	"last_ended_at" timestamp (3) with time zone,
	"last_outcome" text,
	"last_error" text,
	"job_count" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "worker_tasks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject_ids" text[] NOT NULL,
	"key" text NOT NULL,
	"organization_id" uuid,
	"client_id" uuid,
	"entity_id" uuid,
	"input" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" text NOT NULL,
	"run_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempt_id" uuid,
	"heartbeat_at" timestamp (3) with time zone,
	"steps_done" integer,
	"steps" integer,
	"error" text,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "worker_tasks" ADD CONSTRAINT "worker_tasks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "worker_tasks" ADD CONSTRAINT "worker_tasks_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "worker_tasks" ADD CONSTRAINT "worker_tasks_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "worker_tasks" ADD CONSTRAINT "worker_tasks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "worker_tasks_under_way" ON "worker_tasks" USING btree ("kind","key") WHERE status in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "worker_tasks_by_status" ON "worker_tasks" USING btree ("status","run_at");--> statement-breakpoint
CREATE INDEX "worker_tasks_by_end" ON "worker_tasks" USING btree ("ended_at");