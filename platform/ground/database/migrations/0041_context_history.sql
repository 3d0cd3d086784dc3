CREATE TABLE "context_versions" (
	"organization_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"record_id" text NOT NULL,
	"revision" integer NOT NULL,
	"fields" jsonb NOT NULL,
	"changed_fields" jsonb NOT NULL,
	"cause" text NOT NULL,
	"changed_by" uuid,
	"suggestion_id" uuid,
	"restored_revision" integer,
	"changed_at" timestamptz(6) NOT NULL,
	CONSTRAINT "context_versions_organization_id_kind_record_id_revision_pk" PRIMARY KEY("organization_id","kind","record_id","revision")
);
--> statement-breakpoint
ALTER TABLE "context_suggestions" ADD COLUMN "decided_by" uuid;--> statement-breakpoint
ALTER TABLE "context_versions" ADD CONSTRAINT "context_versions_changed_by_users_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "context_versions" ADD CONSTRAINT "context_versions_record" FOREIGN KEY ("organization_id","kind","record_id") REFERENCES "public"."context_records"("organization_id","kind","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "context_suggestions" ADD CONSTRAINT "context_suggestions_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "context_records_by_change" ON "context_records" USING btree ("organization_id","updated_at","kind","id");--> statement-breakpoint
CREATE INDEX "context_records_by_name" ON "context_records" USING btree ("organization_id",(lower("fields" ->> 'name') collate "C"),"kind","id");--> statement-breakpoint
CREATE INDEX "context_suggestions_by_creation" ON "context_suggestions" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "context_suggestions_of_record" ON "context_suggestions" USING btree ("organization_id","kind","target_id","created_at","id");--> statement-breakpoint
INSERT INTO "context_versions" ("organization_id", "kind", "record_id", "revision", "fields", "changed_fields", "cause", "changed_at")
SELECT "organization_id", "kind", "id", "revision", "fields", '[]'::jsonb, CASE WHEN "revision" = 1 THEN 'created' ELSE 'kept' END, "updated_at" FROM "context_records";
