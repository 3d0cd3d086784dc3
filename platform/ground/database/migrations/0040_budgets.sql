CREATE TABLE "budgets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"monthly_limit_usd" double precision NOT NULL,
	"is_hard" boolean NOT NULL,
	"warn_at_percent" integer NOT NULL,
	"updated_at" timestamptz(6) NOT NULL,
	"warned_month" timestamptz(6),
	"warned_percent" integer,
	CONSTRAINT "budgets_scope" UNIQUE("organization_id","scope","key")
);
--> statement-breakpoint
ALTER TABLE "credit_holds" ADD COLUMN "own_key_micros" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "rests_until" timestamptz(6);--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "run_usage_time" ON "run_usage" USING btree ("organization_id","ended_at","user_id","experiment_id","model_micros","infrastructure_micros","byok_micros");