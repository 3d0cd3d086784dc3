-- The new indexes come first, so that lists can be read until the old ones are dropped.
CREATE INDEX "runs_open" ON "runs" USING btree ("organization_id") WHERE "runs"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_ended" ON "runs" USING btree ("organization_id","ended_at","created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_variant" ON "runs" USING btree ("organization_id",("variant_id" collate "C"),"created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_agent" ON "runs" USING btree ("organization_id",("agent" collate "C"),"created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_model" ON "runs" USING btree ("organization_id",("model" collate "C"),"created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_product" ON "runs" USING btree ("organization_id",("product" collate "C"),"created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_environment" ON "runs" USING btree ("organization_id",("environment" collate "C"),"created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_prompt" ON "runs" USING btree ("organization_id",("prompt" collate "C"),"created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_experiment" ON "runs" USING btree ("organization_id",("experiment_id" collate "C"),"created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_version" ON "runs" USING btree ("organization_id","ordinal","created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_repeat" ON "runs" USING btree ("organization_id","repeat","created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_pass_rate" ON "runs" USING btree ("organization_id",("tests_passed"::float8 / nullif("tests_passed" + "tests_failed" + "tests_unresolved" + "tests_errored", 0)),"created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_exit_code" ON "runs" USING btree ("organization_id","agent_exit_code","created_at","id") WHERE "runs"."ended_at" is not null or "runs"."agent_exit_code" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_cost" ON "runs" USING btree ("organization_id","cost_usd","created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_seconds" ON "runs" USING btree ("organization_id","wall_seconds","created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_tokens" ON "runs" USING btree ("organization_id","total_tokens","created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_tool_calls" ON "runs" USING btree ("organization_id","tool_calls","created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_tool_failures" ON "runs" USING btree ("organization_id","tool_failures","created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_request" ON "runs" USING btree ("organization_id","request_id","created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ended_runs_by_submitter" ON "runs" USING btree ("organization_id","triggered_by","created_at","id") WHERE "runs"."ended_at" is not null;--> statement-breakpoint
DROP INDEX "runs_by_ended";--> statement-breakpoint
DROP INDEX "runs_by_variant";--> statement-breakpoint
DROP INDEX "runs_by_agent";--> statement-breakpoint
DROP INDEX "runs_by_model";--> statement-breakpoint
DROP INDEX "runs_by_product";--> statement-breakpoint
DROP INDEX "runs_by_environment";--> statement-breakpoint
DROP INDEX "runs_by_prompt";--> statement-breakpoint
DROP INDEX "runs_by_experiment";--> statement-breakpoint
DROP INDEX "runs_by_version";--> statement-breakpoint
DROP INDEX "runs_by_repeat";--> statement-breakpoint
DROP INDEX "runs_by_pass_rate";--> statement-breakpoint
DROP INDEX "runs_by_exit_code";--> statement-breakpoint
DROP INDEX "runs_by_cost";--> statement-breakpoint
DROP INDEX "runs_by_seconds";--> statement-breakpoint
DROP INDEX "runs_by_tokens";--> statement-breakpoint
DROP INDEX "runs_by_tool_calls";--> statement-breakpoint
DROP INDEX "runs_by_tool_failures";--> statement-breakpoint
DROP INDEX "runs_by_request";--> statement-breakpoint
DROP INDEX "runs_by_submitter";