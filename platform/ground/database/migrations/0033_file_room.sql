ALTER TABLE "report_images" ADD COLUMN "pinned_by" uuid;--> statement-breakpoint
ALTER TABLE "report_images" ADD CONSTRAINT "report_images_pinned_by_users_id_fk" FOREIGN KEY ("pinned_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_images_size" ON "report_images" USING btree ("organization_id","size_bytes");--> statement-breakpoint
CREATE INDEX "report_images_pinned" ON "report_images" USING btree ("organization_id","pinned_by");