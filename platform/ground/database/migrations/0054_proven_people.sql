ALTER TABLE "invitations" ADD COLUMN "emailed_hash" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_proven" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_emailedHash_unique" UNIQUE("emailed_hash");