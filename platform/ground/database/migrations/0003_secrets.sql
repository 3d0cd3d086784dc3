CREATE TABLE "secrets" (
	"organization_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"description" text,
	"sealed" text NOT NULL,
	"key_id" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"updated_by" uuid NOT NULL,
	"updated_at" timestamptz(6) NOT NULL,
	"last_used_at" timestamptz(6),
	CONSTRAINT "secrets_organization_id_slug_pk" PRIMARY KEY("organization_id","slug")
);
--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "secrets_by_key" ON "secrets" USING btree ("key_id","organization_id","slug");