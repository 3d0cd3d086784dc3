-- Readers see these columns, so a change of them is news.
DROP TRIGGER "runs_stamp_change" ON "runs";--> statement-breakpoint
CREATE TRIGGER "runs_stamp_change" BEFORE UPDATE OF
	"organization_id", "request_id", "composite_id", "experiment_id", "fingerprint", "ordinal", "triggered_by", "variant_id",
	"agent", "agent_mode", "model", "product", "environment", "prompt", "repeat", "mock", "status", "status_reason",
	"agent_exit_code", "time_budget_seconds", "time_plan_cap_seconds", "time_limit_hit", "tests_passed", "tests_failed",
	"tests_unresolved", "tests_errored", "tests_skipped", "test_aware", "test_aware_evidence_seq", "cost_usd", "spend_kind",
	"wall_seconds", "tool_calls", "tool_failures", "input_tokens", "output_tokens", "total_tokens", "created_at", "started_at",
	"ended_at", "status_updated_at", "image_digest", "model_call_count", "measured_cost_usd", "has_estimated_tokens",
	"reported_cost_usd", "reported_input_tokens", "reported_output_tokens", "cost_limit_usd", "cost_limit_hit"
	ON "runs" FOR EACH ROW EXECUTE FUNCTION "stamp_change"();
