CREATE TABLE "context_records" (
	"organization_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"revision" integer NOT NULL,
	"fields" jsonb NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"updated_at" timestamptz(6) NOT NULL,
	CONSTRAINT "context_records_organization_id_kind_id_pk" PRIMARY KEY("organization_id","kind","id")
);
--> statement-breakpoint
CREATE TABLE "context_settings" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"suggestions_enabled" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "context_suggestions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"target_id" text NOT NULL,
	"base_revision" integer NOT NULL,
	"base" jsonb NOT NULL,
	"proposed" jsonb NOT NULL,
	"reason" text NOT NULL,
	"evidence" jsonb NOT NULL,
	"idempotency_key" uuid NOT NULL,
	"replaces_id" uuid,
	"status" text NOT NULL,
	"version" integer NOT NULL,
	"decision_note" text,
	"created_at" timestamptz(6) NOT NULL,
	"updated_at" timestamptz(6) NOT NULL,
	CONSTRAINT "context_suggestions_sent_once" UNIQUE("organization_id","author_id","idempotency_key")
);
--> statement-breakpoint
ALTER TABLE "context_records" ADD CONSTRAINT "context_records_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "context_settings" ADD CONSTRAINT "context_settings_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "context_suggestions" ADD CONSTRAINT "context_suggestions_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "context_suggestions" ADD CONSTRAINT "context_suggestions_record" FOREIGN KEY ("organization_id","kind","target_id") REFERENCES "public"."context_records"("organization_id","kind","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "context_suggestions_of_author" ON "context_suggestions" USING btree ("organization_id","author_id","created_at","id");--> statement-breakpoint
CREATE INDEX "context_suggestions_pending" ON "context_suggestions" USING btree ("organization_id","created_at","id") WHERE "context_suggestions"."status" = 'pending';