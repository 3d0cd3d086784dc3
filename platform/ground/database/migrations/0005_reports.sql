CREATE TABLE "report_changes" (
	"report_id" uuid NOT NULL,
	"changed_at" timestamptz(6) NOT NULL,
	CONSTRAINT "report_changes_report_id_changed_at_pk" PRIMARY KEY("report_id","changed_at")
);
--> statement-breakpoint
CREATE TABLE "report_clocks" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"changed_at" timestamptz(6) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_findings" (
	"report_id" uuid NOT NULL,
	"insight_ref" text NOT NULL,
	CONSTRAINT "report_findings_report_id_insight_ref_pk" PRIMARY KEY("report_id","insight_ref")
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"body_markdown" text NOT NULL,
	"created_by" uuid NOT NULL,
	"updated_by" uuid NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"updated_at" timestamptz(6) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "report_changes" ADD CONSTRAINT "report_changes_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_clocks" ADD CONSTRAINT "report_clocks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_findings" ADD CONSTRAINT "report_findings_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_findings_of_insight" ON "report_findings" USING btree ("insight_ref");--> statement-breakpoint
CREATE INDEX "reports_newest" ON "reports" USING btree ("organization_id","updated_at");