CREATE TABLE "report_comment_times" (
	"comment_id" uuid PRIMARY KEY NOT NULL,
	"author_id" uuid NOT NULL,
	"created_at" timestamptz(6) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "report_comment_times" ADD CONSTRAINT "report_comment_times_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_comment_times_of_author" ON "report_comment_times" USING btree ("author_id","created_at");