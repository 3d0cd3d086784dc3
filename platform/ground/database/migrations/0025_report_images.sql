CREATE TABLE "report_image_uses" (
	"report_id" uuid NOT NULL,
	"image_id" uuid NOT NULL,
	CONSTRAINT "report_image_uses_report_id_image_id_pk" PRIMARY KEY("report_id","image_id")
);
--> statement-breakpoint
CREATE TABLE "report_images" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"size_bytes" integer NOT NULL,
	"unused_since" timestamptz(6) NOT NULL,
	"removed_at" timestamptz(6)
);
--> statement-breakpoint
ALTER TABLE "report_image_uses" ADD CONSTRAINT "report_image_uses_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_image_uses" ADD CONSTRAINT "report_image_uses_image_id_report_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."report_images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_images" ADD CONSTRAINT "report_images_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_image_uses_of_image" ON "report_image_uses" USING btree ("image_id");--> statement-breakpoint
CREATE UNIQUE INDEX "report_images_content" ON "report_images" USING btree ("organization_id","sha256") WHERE "report_images"."removed_at" is null;