CREATE TABLE "removed_blobs" (
	"key" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "retention_policies" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"rules" jsonb NOT NULL,
	"updated_at" timestamptz(6) NOT NULL,
	"removes_from" timestamptz(6) NOT NULL,
	"sweep" jsonb,
	"last_sweep" jsonb
);
--> statement-breakpoint
CREATE TABLE "run_removals" (
	"run_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"composite_id" text NOT NULL,
	"request_id" uuid NOT NULL,
	"experiment_id" text NOT NULL,
	"removed_at" timestamptz(6) NOT NULL,
	"kept_days" integer NOT NULL,
	"in_analytics" boolean DEFAULT true NOT NULL,
	CONSTRAINT "run_removals_run_id_kind_pk" PRIMARY KEY("run_id","kind")
);
--> statement-breakpoint
ALTER TABLE "retention_policies" ADD CONSTRAINT "retention_policies_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "run_removals_by_id" ON "run_removals" USING btree ("organization_id","composite_id");--> statement-breakpoint
CREATE INDEX "run_removals_of_request" ON "run_removals" USING btree ("request_id") WHERE "run_removals"."kind" = 'runs';--> statement-breakpoint
CREATE INDEX "run_removals_in_analytics" ON "run_removals" USING btree ("organization_id") WHERE "run_removals"."in_analytics";