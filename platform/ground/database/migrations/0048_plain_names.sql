ALTER TABLE "webhooks" RENAME COLUMN "stop" TO "stop_reason";--> statement-breakpoint
UPDATE "schedules" SET "gate" = jsonb_build_object('significanceLevel', "gate" -> 'maxChance') WHERE jsonb_typeof("gate" -> 'maxChance') = 'number';--> statement-breakpoint
UPDATE "schedule_starts" SET "gate" = "gate" - 'maxChance' || jsonb_build_object('significanceLevel', "gate" -> 'maxChance') WHERE jsonb_typeof("gate" -> 'maxChance') = 'number';
