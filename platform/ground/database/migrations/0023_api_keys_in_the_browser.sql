ALTER TABLE "api_keys" ADD COLUMN "expires_at" timestamptz(6);--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_at" timestamptz(6);--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "prefix" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "created_with" uuid;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "replaces" uuid;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_with_api_keys_id_fk" FOREIGN KEY ("created_with") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_replaces_api_keys_id_fk" FOREIGN KEY ("replaces") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_organizations_organization_id_index" ON "api_key_organizations" USING btree ("organization_id");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_replaces_unique" UNIQUE("replaces");