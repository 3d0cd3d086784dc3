CREATE TABLE "bulk_action_runs" (
	"action_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"part" integer NOT NULL,
	"run_id" uuid NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"reason" text,
	"new_request_id" uuid,
	CONSTRAINT "bulk_action_runs_action_id_seq_pk" PRIMARY KEY("action_id","seq")
);
--> statement-breakpoint
CREATE TABLE "bulk_actions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"new_tag" text,
	"choice" text,
	"plan" jsonb NOT NULL,
	"state" text NOT NULL,
	"state_reason" text,
	"created_by" uuid NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"started_at" timestamptz(6),
	"ended_at" timestamptz(6),
	"worked_at" timestamptz(6),
	"faults" integer DEFAULT 0 NOT NULL,
	"removals" integer DEFAULT 0 NOT NULL,
	"removals_projected" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bulk_action_runs" ADD CONSTRAINT "bulk_action_runs_action_id_bulk_actions_id_fk" FOREIGN KEY ("action_id") REFERENCES "public"."bulk_actions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_actions" ADD CONSTRAINT "bulk_actions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_actions" ADD CONSTRAINT "bulk_actions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bulk_action_runs_pending" ON "bulk_action_runs" USING btree ("action_id","part") WHERE "bulk_action_runs"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "bulk_action_runs_of_run" ON "bulk_action_runs" USING btree ("action_id","run_id");--> statement-breakpoint
CREATE INDEX "bulk_actions_newest" ON "bulk_actions" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "bulk_actions_unfinished" ON "bulk_actions" USING btree ("worked_at") WHERE "bulk_actions"."state" = 'running' or "bulk_actions"."removals" > "bulk_actions"."removals_projected";