ALTER TABLE "report_images" ALTER COLUMN "width" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "report_images" ALTER COLUMN "height" DROP NOT NULL;