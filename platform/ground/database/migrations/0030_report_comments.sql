CREATE TABLE "report_comments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"thread_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"text" text,
	"created_at" timestamptz(6) NOT NULL,
	"edited_at" timestamptz(6)
);
--> statement-breakpoint
CREATE TABLE "report_threads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"paragraph_id" uuid NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"resolved_by" uuid,
	"resolved_at" timestamptz(6)
);
--> statement-breakpoint
CREATE TABLE "report_paragraphs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"report_id" uuid NOT NULL,
	"quote" text NOT NULL,
	"position" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "report_comments" ADD CONSTRAINT "report_comments_thread_id_report_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."report_threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_comments" ADD CONSTRAINT "report_comments_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_threads" ADD CONSTRAINT "report_threads_paragraph_id_report_paragraphs_id_fk" FOREIGN KEY ("paragraph_id") REFERENCES "public"."report_paragraphs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_threads" ADD CONSTRAINT "report_threads_resolved_by_users_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_paragraphs" ADD CONSTRAINT "report_paragraphs_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_comments_of_thread" ON "report_comments" USING btree ("thread_id");--> statement-breakpoint
CREATE INDEX "report_comments_of_author" ON "report_comments" USING btree ("author_id","created_at");--> statement-breakpoint
CREATE INDEX "report_threads_of_paragraph" ON "report_threads" USING btree ("paragraph_id");--> statement-breakpoint
CREATE INDEX "report_paragraphs_of_report" ON "report_paragraphs" USING btree ("report_id");