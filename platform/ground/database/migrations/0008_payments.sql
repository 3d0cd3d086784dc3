ALTER TABLE "checkout_sessions" ADD COLUMN "paid_amount" bigint;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "paid_currency" text;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "accepted_micros" bigint;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "decided_at" timestamptz(6);