CREATE TABLE "report_suggestions" (
	"thread_id" uuid PRIMARY KEY NOT NULL,
	"original" text NOT NULL,
	"replacement" text NOT NULL,
	"is_accepted" boolean,
	"decided_by" uuid,
	"decided_at" timestamptz(6),
	"note" text
);
--> statement-breakpoint
ALTER TABLE "report_suggestions" ADD CONSTRAINT "report_suggestions_thread_id_report_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."report_threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_suggestions" ADD CONSTRAINT "report_suggestions_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;