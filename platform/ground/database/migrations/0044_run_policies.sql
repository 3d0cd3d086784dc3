CREATE TABLE "run_policies" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"rules" jsonb NOT NULL,
	"updated_at" timestamptz(6) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "run_policies" ADD CONSTRAINT "run_policies_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;