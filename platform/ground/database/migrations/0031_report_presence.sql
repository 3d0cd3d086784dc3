CREATE TABLE "report_presence" (
	"report_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"quote" text,
	"position" integer,
	"seen_at" timestamptz(6) NOT NULL,
	CONSTRAINT "report_presence_report_id_user_id_pk" PRIMARY KEY("report_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "report_presence" ADD CONSTRAINT "report_presence_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_presence" ADD CONSTRAINT "report_presence_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;