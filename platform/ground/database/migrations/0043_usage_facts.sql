ALTER TABLE "run_usage" ADD COLUMN "agent" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "run_usage" ADD COLUMN "model" text;--> statement-breakpoint
ALTER TABLE "run_usage" ADD COLUMN "input_tokens" integer;--> statement-breakpoint
ALTER TABLE "run_usage" ADD COLUMN "cached_tokens" integer;--> statement-breakpoint
ALTER TABLE "run_usage" ADD COLUMN "output_tokens" integer;--> statement-breakpoint
UPDATE "run_usage" SET "agent" = "runs"."agent", "model" = "runs"."model", "input_tokens" = "runs"."input_tokens", "output_tokens" = "runs"."output_tokens",
  "cached_tokens" = (SELECT CASE WHEN count("model_calls"."cached_tokens") > 0 THEN least(sum("model_calls"."cached_tokens"), 2147483647)::integer END FROM "model_calls" WHERE "model_calls"."run_id" = "runs"."id" AND "model_calls"."attempt" = "runs"."attempt")
FROM "runs" WHERE "runs"."id" = "run_usage"."run_id";
