CREATE TABLE "demo_items" (
	"organization_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"item_id" text NOT NULL,
	"state" text,
	CONSTRAINT "demo_items_organization_id_kind_name_pk" PRIMARY KEY("organization_id","kind","name")
);
--> statement-breakpoint
ALTER TABLE "demo_items" ADD CONSTRAINT "demo_items_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;