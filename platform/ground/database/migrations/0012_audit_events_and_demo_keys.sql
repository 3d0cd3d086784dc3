CREATE TABLE "audit_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamptz(6) DEFAULT now() NOT NULL,
	"organization_id" uuid,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"actor_name" text,
	"event" text NOT NULL,
	"subject" text,
	"outcome" text NOT NULL,
	"request_id" text,
	"address" text,
	"details" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "is_demo" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_events_organization_id_at_id_index" ON "audit_events" USING btree ("organization_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_events_at_id_index" ON "audit_events" USING btree ("at","id");--> statement-breakpoint
CREATE FUNCTION refuse_change_of_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'audit events are neither changed nor deleted'; END $$;--> statement-breakpoint
CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_events" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_events();--> statement-breakpoint
UPDATE "api_keys" SET "is_demo" = true FROM "organizations", "users" WHERE "organizations"."slug" = 'demo' AND "users"."id" = "api_keys"."created_by" AND "users"."email" IN ('ada@demo.example', 'max@demo.example') AND "api_keys"."created_at" = "organizations"."created_at";--> statement-breakpoint
UPDATE "api_keys" SET "revoked_at" = now() WHERE "is_demo" AND "revoked_at" IS NULL AND (SELECT count(*) FROM "organizations") > 1;
