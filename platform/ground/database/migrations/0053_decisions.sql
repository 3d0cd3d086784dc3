CREATE TABLE "decisions" (
	"request_id" uuid PRIMARY KEY NOT NULL,
	"design" jsonb NOT NULL,
	"stopped" jsonb,
	"verdict" jsonb,
	"closed_at" timestamptz(6)
);
--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_request_id_run_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."run_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "decisions_open" ON "decisions" USING btree ("request_id") WHERE "decisions"."closed_at" is null;