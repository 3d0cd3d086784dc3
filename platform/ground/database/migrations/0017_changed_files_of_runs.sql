CREATE TABLE "run_changes" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"attempt" integer NOT NULL,
	"packs" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "run_changes" ADD CONSTRAINT "run_changes_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;