ALTER TABLE "runs" ADD COLUMN "agent_exit_code" integer;--> statement-breakpoint
CREATE INDEX "runs_by_ended" ON "runs" USING btree ("organization_id","ended_at","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_status" ON "runs" USING btree ("organization_id",("status" collate "C"),"created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_variant" ON "runs" USING btree ("organization_id",("variant_id" collate "C"),"created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_agent" ON "runs" USING btree ("organization_id",("agent" collate "C"),"created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_model" ON "runs" USING btree ("organization_id",("model" collate "C"),"created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_product" ON "runs" USING btree ("organization_id",("product" collate "C"),"created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_environment" ON "runs" USING btree ("organization_id",("environment" collate "C"),"created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_prompt" ON "runs" USING btree ("organization_id",("prompt" collate "C"),"created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_experiment" ON "runs" USING btree ("organization_id",("experiment_id" collate "C"),"created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_version" ON "runs" USING btree ("organization_id","ordinal","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_repeat" ON "runs" USING btree ("organization_id","repeat","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_pass_rate" ON "runs" USING btree ("organization_id",("tests_passed"::float8 / nullif("tests_passed" + "tests_failed" + "tests_unresolved" + "tests_errored", 0)),"created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_exit_code" ON "runs" USING btree ("organization_id","agent_exit_code","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_cost" ON "runs" USING btree ("organization_id","cost_usd","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_seconds" ON "runs" USING btree ("organization_id","wall_seconds","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_tokens" ON "runs" USING btree ("organization_id","total_tokens","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_tool_calls" ON "runs" USING btree ("organization_id","tool_calls","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_tool_failures" ON "runs" USING btree ("organization_id","tool_failures","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_request" ON "runs" USING btree ("organization_id","request_id","created_at","id");--> statement-breakpoint
-- Earlier runs have the code only in the sentence about it.
UPDATE "runs" SET "agent_exit_code" = substring("status_reason" from '^The agent exited with code (-?[0-9]{1,9})')::integer
	WHERE "status_reason" LIKE 'The agent exited with code %';--> statement-breakpoint
DROP TRIGGER "runs_stamp_change" ON "runs";--> statement-breakpoint
CREATE TRIGGER "runs_stamp_change" BEFORE UPDATE OF
	"organization_id", "request_id", "composite_id", "experiment_id", "fingerprint", "ordinal", "triggered_by", "variant_id",
	"agent", "agent_mode", "model", "product", "environment", "prompt", "repeat", "mock", "status", "status_reason",
	"agent_exit_code", "time_budget_seconds", "time_plan_cap_seconds", "time_limit_hit", "tests_passed", "tests_failed",
	"tests_unresolved", "tests_errored", "tests_skipped", "test_aware", "test_aware_evidence_seq", "cost_usd", "spend_kind",
	"wall_seconds", "tool_calls", "tool_failures", "input_tokens", "output_tokens", "total_tokens", "created_at", "started_at",
	"ended_at", "status_updated_at"
	ON "runs" FOR EACH ROW EXECUTE FUNCTION "stamp_change"();
