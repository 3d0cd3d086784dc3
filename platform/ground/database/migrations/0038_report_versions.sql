CREATE TABLE "report_version_files" (
	"version_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	CONSTRAINT "report_version_files_version_id_file_id_pk" PRIMARY KEY("version_id","file_id")
);
--> statement-breakpoint
CREATE TABLE "report_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"report_id" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"body_markdown" text NOT NULL,
	"saved_by" uuid NOT NULL,
	"started_at" timestamptz(6) NOT NULL,
	"saved_at" timestamptz(6) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "report_version_files" ADD CONSTRAINT "report_version_files_version_id_report_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."report_versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_version_files" ADD CONSTRAINT "report_version_files_file_id_report_images_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."report_images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_versions" ADD CONSTRAINT "report_versions_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_versions" ADD CONSTRAINT "report_versions_saved_by_users_id_fk" FOREIGN KEY ("saved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_version_files_of_file" ON "report_version_files" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "report_versions_of_report" ON "report_versions" USING btree ("report_id","saved_at");--> statement-breakpoint
INSERT INTO "report_versions" ("id", "report_id", "title", "description", "body_markdown", "saved_by", "started_at", "saved_at")
SELECT gen_random_uuid(), "id", "title", "description", "body_markdown", "updated_by", "updated_at", "updated_at" FROM "reports";--> statement-breakpoint
INSERT INTO "report_version_files" ("version_id", "file_id")
SELECT "v"."id", "u"."image_id" FROM "report_versions" "v" JOIN "report_image_uses" "u" ON "u"."report_id" = "v"."report_id";
