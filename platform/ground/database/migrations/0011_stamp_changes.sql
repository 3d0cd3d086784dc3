ALTER TABLE "experiments" ADD COLUMN "changed_in" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "changed_in" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "changed_in" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
CREATE INDEX "experiments_changed" ON "experiments" USING btree ("organization_id","changed_in");--> statement-breakpoint
CREATE INDEX "users_changed" ON "users" USING btree ("changed_in");--> statement-breakpoint
CREATE INDEX "runs_changed" ON "runs" USING btree ("organization_id","changed_in");--> statement-breakpoint
CREATE FUNCTION "stamp_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.changed_in := pg_current_xact_id();
	RETURN NEW;
END
$$;--> statement-breakpoint
-- All that readers see of a run; leases, losses and the length of its transcript are the worker's.
CREATE TRIGGER "runs_stamp_change" BEFORE UPDATE OF
	"organization_id", "request_id", "composite_id", "experiment_id", "fingerprint", "ordinal", "triggered_by", "variant_id",
	"agent", "agent_mode", "model", "product", "environment", "prompt", "repeat", "mock", "status", "status_reason",
	"time_budget_seconds", "time_plan_cap_seconds", "time_limit_hit", "tests_passed", "tests_failed", "tests_unresolved",
	"tests_errored", "tests_skipped", "test_aware", "test_aware_evidence_seq", "cost_usd", "spend_kind", "wall_seconds",
	"tool_calls", "tool_failures", "input_tokens", "output_tokens", "total_tokens", "created_at", "started_at", "ended_at",
	"status_updated_at"
	ON "runs" FOR EACH ROW EXECUTE FUNCTION "stamp_change"();--> statement-breakpoint
CREATE TRIGGER "experiments_stamp_change" BEFORE UPDATE ON "experiments"
	FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "stamp_change"();--> statement-breakpoint
CREATE TRIGGER "users_stamp_change" BEFORE UPDATE ON "users"
	FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "stamp_change"();
