CREATE TABLE "import_parts" (
	"import_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"blob_key" text NOT NULL,
	"entries" jsonb NOT NULL,
	CONSTRAINT "import_parts_import_id_seq_pk" PRIMARY KEY("import_id","seq")
);
--> statement-breakpoint
CREATE TABLE "import_runs" (
	"import_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"is_removed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "import_runs_import_id_run_id_pk" PRIMARY KEY("import_id","run_id")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"created_by" uuid NOT NULL,
	"state" text NOT NULL,
	"state_reason" text,
	"files" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"is_staged" boolean DEFAULT true NOT NULL,
	"format" text,
	"pattern" text,
	"columns" jsonb,
	"preview" jsonb,
	"table_columns" text,
	"experiment_id" text,
	"experiment_name" text,
	"is_new" boolean DEFAULT false NOT NULL,
	"made_version" text,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"result" jsonb,
	"created_at" timestamptz(6) NOT NULL,
	"started_at" timestamptz(6),
	"ended_at" timestamptz(6),
	"lease_token" uuid,
	"lease_until" timestamptz(6)
);
--> statement-breakpoint
ALTER TABLE "import_parts" ADD CONSTRAINT "import_parts_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_runs" ADD CONSTRAINT "import_runs_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imports_newest" ON "imports" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "imports_unfinished" ON "imports" USING btree ("created_at") WHERE "imports"."state" in ('reading', 'running', 'undoing');--> statement-breakpoint
CREATE INDEX "imports_by_columns" ON "imports" USING btree ("organization_id","table_columns");