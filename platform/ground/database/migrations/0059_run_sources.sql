CREATE TABLE "run_sources" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"import_id" uuid,
	"tool" text NOT NULL,
	"tool_version" text,
	"file" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "made_versions" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "run_sources" ADD CONSTRAINT "run_sources_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
UPDATE "imports" SET "made_versions" = ARRAY["made_version"] WHERE "made_version" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "made_version";