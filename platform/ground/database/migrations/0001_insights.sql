CREATE TABLE "insights" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"heading" text NOT NULL,
	"sql" text NOT NULL,
	"description" text,
	"labels" jsonb NOT NULL,
	"provenance" text NOT NULL,
	"experiment_id" text,
	"run_id" text,
	"data_schema" text NOT NULL,
	"include_test_aware" boolean NOT NULL,
	"presentation" jsonb,
	"owner_id" uuid NOT NULL,
	"updated_by" uuid NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"updated_at" timestamptz(6) NOT NULL,
	CONSTRAINT "insights_slug" UNIQUE("organization_id","slug")
);
--> statement-breakpoint
CREATE TABLE "publications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"insight_id" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"key_id" text NOT NULL,
	"heading" text NOT NULL,
	"sql" text NOT NULL,
	"description" text,
	"presentation" jsonb,
	"provenance" text NOT NULL,
	"experiment_id" text,
	"run_id" text,
	"include_test_aware" boolean NOT NULL,
	"published_by" uuid NOT NULL,
	"published_at" timestamptz(6) NOT NULL,
	CONSTRAINT "publications_insightId_unique" UNIQUE("insight_id"),
	CONSTRAINT "publications_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "insights" ADD CONSTRAINT "insights_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insights" ADD CONSTRAINT "insights_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insights" ADD CONSTRAINT "insights_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publications" ADD CONSTRAINT "publications_insight_id_insights_id_fk" FOREIGN KEY ("insight_id") REFERENCES "public"."insights"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publications" ADD CONSTRAINT "publications_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publications" ADD CONSTRAINT "publications_published_by_users_id_fk" FOREIGN KEY ("published_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "insights_newest" ON "insights" USING btree ("organization_id","created_at","id");