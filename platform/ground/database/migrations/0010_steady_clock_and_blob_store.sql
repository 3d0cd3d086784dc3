CREATE SEQUENCE "public"."steady_clock" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "blob_stores" (
	"id" uuid PRIMARY KEY NOT NULL,
	"is_only" boolean DEFAULT true NOT NULL,
	CONSTRAINT "blob_stores_isOnly_unique" UNIQUE("is_only")
);
