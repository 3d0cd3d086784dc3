CREATE TABLE "analytics_outbox" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"created_at" timestamptz(6) DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "experiment_versions" (
	"organization_id" uuid NOT NULL,
	"experiment_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"definition_hash" text NOT NULL,
	"ordinal" integer NOT NULL,
	"yaml" text NOT NULL,
	"definition" jsonb NOT NULL,
	"files" jsonb NOT NULL,
	"creator_id" uuid NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"pushed_at" timestamptz(6) NOT NULL,
	CONSTRAINT "experiment_versions_organization_id_experiment_id_fingerprint_pk" PRIMARY KEY("organization_id","experiment_id","fingerprint"),
	CONSTRAINT "experiment_versions_ordinal" UNIQUE("organization_id","experiment_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "experiments" (
	"organization_id" uuid NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"owner_id" uuid NOT NULL,
	"latest_fingerprint" text NOT NULL,
	"version_count" integer NOT NULL,
	"axes" jsonb NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"updated_at" timestamptz(6) NOT NULL,
	CONSTRAINT "experiments_organization_id_id_pk" PRIMARY KEY("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "staged_blobs" (
	"organization_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"staged_at" timestamptz(6) DEFAULT now() NOT NULL,
	CONSTRAINT "staged_blobs_organization_id_sha256_pk" PRIMARY KEY("organization_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "api_key_organizations" (
	"key_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "api_key_organizations_key_id_organization_id_pk" PRIMARY KEY("key_id","organization_id")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamptz(6) DEFAULT now() NOT NULL,
	"revoked_at" timestamptz(6),
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "memberships_organization_id_user_id_pk" PRIMARY KEY("organization_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamptz(6) DEFAULT now() NOT NULL,
	CONSTRAINT "organizations_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamptz(6) DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "experiment_resources" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"experiment_id" text NOT NULL,
	"title" text NOT NULL,
	"url" text NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"updated_at" timestamptz(6) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ci_builds" (
	"request_id" uuid NOT NULL,
	"environment" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"output_tail" text,
	"attempt" integer DEFAULT 0 NOT NULL,
	"losses" integer DEFAULT 0 NOT NULL,
	"lease_owner" text,
	"lease_expires_at" timestamptz(6),
	"created_at" timestamptz(6) NOT NULL,
	"ended_at" timestamptz(6),
	CONSTRAINT "ci_builds_request_id_environment_pk" PRIMARY KEY("request_id","environment")
);
--> statement-breakpoint
CREATE TABLE "run_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"experiment_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"ordinal" integer NOT NULL,
	"triggered_by" uuid NOT NULL,
	"variant_ids" jsonb NOT NULL,
	"repeat" integer NOT NULL,
	"flags" jsonb NOT NULL,
	"mock" boolean NOT NULL,
	"created_at" timestamptz(6) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_status_changes" (
	"run_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"attempt" integer NOT NULL,
	"at" timestamptz(6) NOT NULL,
	CONSTRAINT "run_status_changes_run_id_seq_pk" PRIMARY KEY("run_id","seq")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"request_id" uuid NOT NULL,
	"composite_id" text NOT NULL,
	"experiment_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"ordinal" integer NOT NULL,
	"triggered_by" uuid NOT NULL,
	"variant_id" text NOT NULL,
	"agent" text NOT NULL,
	"agent_mode" text,
	"model" text,
	"product" text,
	"environment" text,
	"prompt" text,
	"repeat" integer NOT NULL,
	"mock" boolean NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"attempt" integer DEFAULT 0 NOT NULL,
	"losses" integer DEFAULT 0 NOT NULL,
	"lease_owner" text,
	"lease_expires_at" timestamptz(6),
	"cancel_requested_at" timestamptz(6),
	"time_budget_seconds" double precision,
	"time_plan_cap_seconds" double precision,
	"time_limit_hit" boolean,
	"tests_passed" integer DEFAULT 0 NOT NULL,
	"tests_failed" integer DEFAULT 0 NOT NULL,
	"tests_unresolved" integer DEFAULT 0 NOT NULL,
	"tests_errored" integer DEFAULT 0 NOT NULL,
	"tests_skipped" integer DEFAULT 0 NOT NULL,
	"test_aware" boolean DEFAULT false NOT NULL,
	"test_aware_evidence_seq" integer,
	"cost_usd" double precision,
	"spend_kind" text DEFAULT 'managed' NOT NULL,
	"wall_seconds" double precision,
	"tool_calls" integer,
	"tool_failures" integer,
	"input_tokens" integer,
	"output_tokens" integer,
	"total_tokens" integer,
	"transcript_published" boolean DEFAULT false NOT NULL,
	"turn_count" integer DEFAULT 0 NOT NULL,
	"reasoning_turn_count" integer DEFAULT 0 NOT NULL,
	"skipped_malformed" integer DEFAULT 0 NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"started_at" timestamptz(6),
	"ended_at" timestamptz(6),
	"status_updated_at" timestamptz(6) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transcript_segments" (
	"run_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"first_seq" integer NOT NULL,
	"last_seq" integer NOT NULL,
	"turn_count" integer NOT NULL,
	"reasoning_turn_count" integer NOT NULL,
	"blob_key" text NOT NULL,
	CONSTRAINT "transcript_segments_run_id_attempt_first_seq_pk" PRIMARY KEY("run_id","attempt","first_seq")
);
--> statement-breakpoint
CREATE TABLE "captured_tests" (
	"run_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"name" text NOT NULL,
	"outcome" text NOT NULL,
	"exit_code" integer,
	"duration_ms" double precision,
	"stdout_tail" text NOT NULL,
	"stderr_tail" text NOT NULL,
	CONSTRAINT "captured_tests_run_id_ordinal_pk" PRIMARY KEY("run_id","ordinal")
);
--> statement-breakpoint
ALTER TABLE "experiments" ADD CONSTRAINT "experiments_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staged_blobs" ADD CONSTRAINT "staged_blobs_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_organizations" ADD CONSTRAINT "api_key_organizations_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_organizations" ADD CONSTRAINT "api_key_organizations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "experiment_resources" ADD CONSTRAINT "experiment_resources_experiment" FOREIGN KEY ("organization_id","experiment_id") REFERENCES "public"."experiments"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ci_builds" ADD CONSTRAINT "ci_builds_request_id_run_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."run_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_requests" ADD CONSTRAINT "run_requests_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_status_changes" ADD CONSTRAINT "run_status_changes_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_request_id_run_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."run_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcript_segments" ADD CONSTRAINT "transcript_segments_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "captured_tests" ADD CONSTRAINT "captured_tests_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "analytics_outbox_of_organization" ON "analytics_outbox" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "experiments_newest" ON "experiments" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "experiment_resources_of_experiment" ON "experiment_resources" USING btree ("organization_id","experiment_id","created_at","id");--> statement-breakpoint
CREATE INDEX "ci_builds_queue" ON "ci_builds" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "run_requests_newest" ON "run_requests" USING btree ("organization_id","experiment_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_composite_id" ON "runs" USING btree ("organization_id","composite_id");--> statement-breakpoint
CREATE INDEX "runs_newest" ON "runs" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_of_experiment" ON "runs" USING btree ("organization_id","experiment_id","created_at");--> statement-breakpoint
CREATE INDEX "runs_of_request" ON "runs" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "runs_queue" ON "runs" USING btree ("status","organization_id","created_at","id");