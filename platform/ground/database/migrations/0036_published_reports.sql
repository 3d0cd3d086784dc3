CREATE TABLE "report_publication_images" (
	"publication_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"image_id" uuid NOT NULL,
	CONSTRAINT "report_publication_images_publication_id_position_pk" PRIMARY KEY("publication_id","position")
);
--> statement-breakpoint
CREATE TABLE "report_publications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"report_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"key_id" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"author" text NOT NULL,
	"document" text NOT NULL,
	"version" timestamptz(6) NOT NULL,
	"published_by" uuid NOT NULL,
	"published_at" timestamptz(6) NOT NULL,
	CONSTRAINT "report_publications_reportId_unique" UNIQUE("report_id"),
	CONSTRAINT "report_publications_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "report_publication_images" ADD CONSTRAINT "report_publication_images_publication_id_report_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."report_publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_publication_images" ADD CONSTRAINT "report_publication_images_image_id_report_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."report_images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_publications" ADD CONSTRAINT "report_publications_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_publications" ADD CONSTRAINT "report_publications_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_publications" ADD CONSTRAINT "report_publications_published_by_users_id_fk" FOREIGN KEY ("published_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_publication_images_of_image" ON "report_publication_images" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "report_publications_of_organization" ON "report_publications" USING btree ("organization_id");