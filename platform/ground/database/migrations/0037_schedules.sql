CREATE TABLE "schedule_starts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"schedule_id" uuid NOT NULL,
	"cause" text NOT NULL,
	"started_at" timestamptz(6) NOT NULL,
	"skipped_because" text,
	"request_id" uuid,
	"ordinal" integer,
	"finished_at" timestamptz(6),
	"solved" integer,
	"counted" integer,
	"gate" jsonb
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"experiment_id" text NOT NULL,
	"name" text NOT NULL,
	"trigger" jsonb NOT NULL,
	"submission" jsonb NOT NULL,
	"monthly_budget_usd" double precision,
	"gate" jsonb,
	"is_enabled" boolean NOT NULL,
	"paused_because" text,
	"owner_id" uuid NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"updated_at" timestamptz(6) NOT NULL,
	"next_at" timestamptz(6),
	"last_ordinal" integer,
	CONSTRAINT "schedules_name" UNIQUE("organization_id","experiment_id","name")
);
--> statement-breakpoint
ALTER TABLE "schedule_starts" ADD CONSTRAINT "schedule_starts_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_starts" ADD CONSTRAINT "schedule_starts_request_id_run_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."run_requests"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "schedule_starts_newest" ON "schedule_starts" USING btree ("schedule_id","started_at","id");--> statement-breakpoint
CREATE INDEX "schedule_starts_open" ON "schedule_starts" USING btree ("schedule_id") WHERE "schedule_starts"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "schedule_starts_request" ON "schedule_starts" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "schedules_due" ON "schedules" USING btree ("next_at") WHERE "schedules"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "schedules_push" ON "schedules" USING btree ("organization_id","experiment_id") WHERE "schedules"."last_ordinal" is not null and "schedules"."is_enabled";