CREATE TABLE "retention_graces" (
	"organization_id" uuid NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"ends_at" timestamptz(6) NOT NULL,
	CONSTRAINT "retention_graces_organization_id_subject_kind_subject_id_pk" PRIMARY KEY("organization_id","subject_kind","subject_id")
);
--> statement-breakpoint
ALTER TABLE "retention_graces" ADD CONSTRAINT "retention_graces_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_people_by_try" ON "mail_people" USING btree ("next_try_at","user_id") WHERE "mail_people"."stopped_at" is null;