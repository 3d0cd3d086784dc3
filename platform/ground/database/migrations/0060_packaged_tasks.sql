CREATE TABLE "packaged_tasks" (
	"organization_id" uuid NOT NULL,
	"tar_sha256" text NOT NULL,
	"name" text NOT NULL,
	"outline" jsonb NOT NULL,
	"whole" jsonb NOT NULL,
	"files" jsonb,
	CONSTRAINT "packaged_tasks_organization_id_tar_sha256_name_pk" PRIMARY KEY("organization_id","tar_sha256","name")
);
--> statement-breakpoint
ALTER TABLE "packaged_tasks" ADD CONSTRAINT "packaged_tasks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;