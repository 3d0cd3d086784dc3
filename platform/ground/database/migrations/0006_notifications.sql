CREATE TABLE "notification_clocks" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"occurred_at" timestamptz(6) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_entries" (
	"user_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"organization_id" uuid,
	"occurred_at" timestamptz(6) NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"read_at" timestamptz(6),
	CONSTRAINT "notification_entries_user_id_event_id_pk" PRIMARY KEY("user_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "notification_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"type" text NOT NULL,
	"schema_version" integer NOT NULL,
	"source" text NOT NULL,
	"actor" jsonb,
	"subject_type" text NOT NULL,
	"subject_id" text NOT NULL,
	"payload" jsonb NOT NULL,
	"occurred_at" timestamptz(6) NOT NULL,
	CONSTRAINT "notification_events_source_unique" UNIQUE("source")
);
--> statement-breakpoint
CREATE TABLE "report_writers" (
	"report_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "report_writers_report_id_user_id_pk" PRIMARY KEY("report_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "notification_clocks" ADD CONSTRAINT "notification_clocks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_entries" ADD CONSTRAINT "notification_entries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_entries" ADD CONSTRAINT "notification_entries_event_id_notification_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."notification_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_events" ADD CONSTRAINT "notification_events_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_writers" ADD CONSTRAINT "report_writers_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_writers" ADD CONSTRAINT "report_writers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notification_entries_newest" ON "notification_entries" USING btree ("user_id","occurred_at","event_id");--> statement-breakpoint
CREATE INDEX "notification_entries_unread" ON "notification_entries" USING btree ("user_id","occurred_at","event_id") WHERE "notification_entries"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notification_events_of_subject" ON "notification_events" USING btree ("subject_id","occurred_at");--> statement-breakpoint
CREATE INDEX "runs_unfinished" ON "runs" USING btree ("request_id") WHERE "runs"."status" in ('queued', 'waiting_for_ci', 'running');