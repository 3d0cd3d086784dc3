CREATE TABLE "model_calls" (
	"run_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"seq" integer NOT NULL,
	"started_at" timestamptz(6) NOT NULL,
	"provider" text NOT NULL,
	"api" text,
	"model" text,
	"answered_model" text,
	"status" integer,
	"refused" boolean NOT NULL,
	"input_tokens" integer,
	"cached_tokens" integer,
	"output_tokens" integer,
	"token_source" text NOT NULL,
	"cost_usd" double precision,
	"first_byte_ms" double precision,
	"duration_ms" double precision NOT NULL,
	"error" text,
	CONSTRAINT "model_calls_run_id_attempt_seq_pk" PRIMARY KEY("run_id","attempt","seq")
);
--> statement-breakpoint
ALTER TABLE "run_requests" ADD COLUMN "max_cost_usd" double precision;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "model_call_count" integer;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "measured_cost_usd" double precision;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "has_estimated_tokens" boolean;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "reported_cost_usd" double precision;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "reported_input_tokens" integer;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "reported_output_tokens" integer;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "cost_limit_usd" double precision;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "cost_limit_hit" text;--> statement-breakpoint
ALTER TABLE "model_calls" ADD CONSTRAINT "model_calls_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;