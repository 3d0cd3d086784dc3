CREATE TABLE "labels" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"slot" integer NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"claimed_outcome" text,
	"test_name" text,
	"turn" integer,
	"created_by" uuid NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"updated_at" timestamptz(6) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "analytics_outbox" ADD COLUMN "labels_only" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "disputed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "label_slots" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "labels" ADD CONSTRAINT "labels_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "labels" ADD CONSTRAINT "labels_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "labels" ADD CONSTRAINT "labels_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "labels_slot" ON "labels" USING btree ("run_id","slot");--> statement-breakpoint
CREATE INDEX "labels_tags" ON "labels" USING btree ("organization_id","text","run_id") WHERE "labels"."kind" = 'tag';--> statement-breakpoint
CREATE INDEX "runs_disputed" ON "runs" USING btree ("organization_id") WHERE "runs"."disputed";--> statement-breakpoint
-- Readers see these columns, so a change of them is news.
DROP TRIGGER "runs_stamp_change" ON "runs";--> statement-breakpoint
CREATE TRIGGER "runs_stamp_change" BEFORE UPDATE OF
	"organization_id", "request_id", "composite_id", "experiment_id", "fingerprint", "ordinal", "triggered_by", "variant_id",
	"agent", "agent_mode", "model", "product", "environment", "prompt", "repeat", "mock", "status", "status_reason",
	"agent_exit_code", "time_budget_seconds", "time_plan_cap_seconds", "time_limit_hit", "tests_passed", "tests_failed",
	"tests_unresolved", "tests_errored", "tests_skipped", "test_aware", "test_aware_evidence_seq", "cost_usd", "spend_kind",
	"wall_seconds", "tool_calls", "tool_failures", "input_tokens", "output_tokens", "total_tokens", "created_at", "started_at",
	"ended_at", "status_updated_at", "image_digest", "model_call_count", "measured_cost_usd", "has_estimated_tokens",
	"reported_cost_usd", "reported_input_tokens", "reported_output_tokens", "cost_limit_usd", "cost_limit_hit",
	"infrastructure_cause", "claimable_at", "earlier_seconds", "earlier_cost_usd", "tags", "disputed"
	ON "runs" FOR EACH ROW EXECUTE FUNCTION "stamp_change"();
