ALTER TABLE "schedule_starts" ADD COLUMN "confirms_id" uuid;--> statement-breakpoint
ALTER TABLE "schedule_starts" ADD CONSTRAINT "schedule_starts_confirms_id_schedule_starts_id_fk" FOREIGN KEY ("confirms_id") REFERENCES "public"."schedule_starts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "schedule_starts_suspected" ON "schedule_starts" USING btree ("schedule_id") WHERE "schedule_starts"."gate" ->> 'reason' = 'suspected';--> statement-breakpoint
ALTER TABLE "schedule_starts" ADD CONSTRAINT "schedule_starts_confirms" UNIQUE("confirms_id");