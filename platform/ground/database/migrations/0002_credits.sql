CREATE TABLE "billing_cycles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"plan" text NOT NULL,
	"ordinal" integer NOT NULL,
	"starts_at" timestamptz(6) NOT NULL,
	"ends_at" timestamptz(6) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "checkout_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"provider_id" text,
	"amount_micros" bigint NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"expires_at" timestamptz(6) NOT NULL,
	"paid_at" timestamptz(6),
	"posted_at" timestamptz(6),
	CONSTRAINT "checkout_sessions_providerId_unique" UNIQUE("provider_id")
);
--> statement-breakpoint
CREATE TABLE "credit_accounts" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"plan" text NOT NULL,
	"anniversary" timestamptz(6) NOT NULL,
	"owed_micros" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"cycle_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"at" timestamptz(6) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credit_holds" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"parts" jsonb NOT NULL,
	"run_rate" integer NOT NULL,
	"platform_key" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credit_lots" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"bucket" text NOT NULL,
	"available_micros" bigint NOT NULL,
	"held_micros" bigint NOT NULL,
	"granted_at" timestamptz(6) NOT NULL,
	"expires_at" timestamptz(6),
	CONSTRAINT "credit_lots_never_negative" CHECK ("credit_lots"."available_micros" >= 0 and "credit_lots"."held_micros" >= 0)
);
--> statement-breakpoint
CREATE TABLE "credit_postings" (
	"entry_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"account" text NOT NULL,
	"lot_id" uuid,
	"micros" bigint NOT NULL,
	CONSTRAINT "credit_postings_entry_id_seq_pk" PRIMARY KEY("entry_id","seq")
);
--> statement-breakpoint
CREATE TABLE "run_usage" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"experiment_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"model_micros" bigint NOT NULL,
	"infrastructure_micros" bigint NOT NULL,
	"byok_micros" bigint NOT NULL,
	"ended_at" timestamptz(6) NOT NULL,
	"cycle_id" uuid,
	"entry_id" uuid
);
--> statement-breakpoint
ALTER TABLE "billing_cycles" ADD CONSTRAINT "billing_cycles_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_accounts" ADD CONSTRAINT "credit_accounts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_cycle_id_billing_cycles_id_fk" FOREIGN KEY ("cycle_id") REFERENCES "public"."billing_cycles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_holds" ADD CONSTRAINT "credit_holds_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_lots" ADD CONSTRAINT "credit_lots_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_postings" ADD CONSTRAINT "credit_postings_entry_id_credit_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."credit_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_postings" ADD CONSTRAINT "credit_postings_lot_id_credit_lots_id_fk" FOREIGN KEY ("lot_id") REFERENCES "public"."credit_lots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_usage" ADD CONSTRAINT "run_usage_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_usage" ADD CONSTRAINT "run_usage_cycle_id_billing_cycles_id_fk" FOREIGN KEY ("cycle_id") REFERENCES "public"."billing_cycles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_usage" ADD CONSTRAINT "run_usage_entry_id_credit_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."credit_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "billing_cycles_start" ON "billing_cycles" USING btree ("organization_id","starts_at");--> statement-breakpoint
CREATE INDEX "checkout_sessions_newest" ON "checkout_sessions" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_source" ON "credit_entries" USING btree ("organization_id","source");--> statement-breakpoint
CREATE INDEX "credit_entries_time" ON "credit_entries" USING btree ("organization_id","at");--> statement-breakpoint
CREATE INDEX "credit_entries_of_cycle" ON "credit_entries" USING btree ("cycle_id");--> statement-breakpoint
CREATE INDEX "credit_lots_left" ON "credit_lots" USING btree ("organization_id") WHERE "credit_lots"."available_micros" <> 0 or "credit_lots"."held_micros" <> 0;--> statement-breakpoint
CREATE INDEX "run_usage_unposted" ON "run_usage" USING btree ("organization_id") WHERE "run_usage"."entry_id" is null;--> statement-breakpoint
CREATE INDEX "run_usage_of_cycle" ON "run_usage" USING btree ("cycle_id");--> statement-breakpoint
CREATE INDEX "run_usage_newest" ON "run_usage" USING btree ("organization_id","experiment_id","ended_at");