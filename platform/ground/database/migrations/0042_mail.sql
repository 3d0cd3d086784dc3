CREATE TABLE "mail_items" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"organization_id" uuid,
	"type" text NOT NULL,
	"timing" text NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"mail_id" uuid
);
--> statement-breakpoint
CREATE TABLE "mail_people" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"address" text,
	"confirmed_at" timestamptz(6),
	"digest_hour" integer NOT NULL,
	"time_zone" text NOT NULL,
	"next_digest_at" timestamptz(6),
	"stopped_at" timestamptz(6),
	"stop_fault" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamptz(6) NOT NULL,
	"lease_id" uuid,
	"lease_ends_at" timestamptz(6)
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"organization_id" uuid,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamptz(6) NOT NULL,
	"sent_at" timestamptz(6),
	"attempts" integer DEFAULT 0 NOT NULL,
	"first_try_at" timestamptz(6),
	"last_try_at" timestamptz(6),
	"fault" text
);
--> statement-breakpoint
CREATE TABLE "notification_choices" (
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"in_app" boolean,
	"mail" text,
	CONSTRAINT "notification_choices_user_id_type_pk" PRIMARY KEY("user_id","type")
);
--> statement-breakpoint
ALTER TABLE "mail_items" ADD CONSTRAINT "mail_items_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_items" ADD CONSTRAINT "mail_items_event_id_notification_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."notification_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_items" ADD CONSTRAINT "mail_items_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_people" ADD CONSTRAINT "mail_people_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_choices" ADD CONSTRAINT "notification_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "mail_items_once" ON "mail_items" USING btree ("user_id","event_id");--> statement-breakpoint
CREATE INDEX "mail_items_waiting" ON "mail_items" USING btree ("user_id","position") WHERE "mail_items"."mail_id" is null;--> statement-breakpoint
CREATE INDEX "mail_items_of_mail" ON "mail_items" USING btree ("mail_id");--> statement-breakpoint
CREATE INDEX "mail_items_of_event" ON "mail_items" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "mail_items_oldest" ON "mail_items" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mails_waiting" ON "mails" USING btree ("user_id","created_at") WHERE "mails"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "mails_of_person" ON "mails" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "mails_newest" ON "mails" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "mails_oldest" ON "mails" USING btree ("created_at");