CREATE TABLE "version_counts" (
	"organization_id" uuid NOT NULL,
	"experiment_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" text NOT NULL,
	"cause" text,
	"runs" integer NOT NULL,
	"passed" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	"unresolved" bigint DEFAULT 0 NOT NULL,
	"errored" bigint DEFAULT 0 NOT NULL,
	"skipped" bigint DEFAULT 0 NOT NULL,
	"judged" bigint DEFAULT 0 NOT NULL,
	"solved" bigint DEFAULT 0 NOT NULL,
	"last_activity_at" timestamptz(6) NOT NULL
);
--> statement-breakpoint
CREATE INDEX "version_counts_of_experiment" ON "version_counts" USING btree ("organization_id","experiment_id","fingerprint");--> statement-breakpoint
CREATE FUNCTION "solved_of_run"("status" text, "cause" text, "passed" integer, "not_passed" integer) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$ SELECT CASE
	WHEN $1 = 'canceled' OR $2 IS NOT NULL THEN NULL
	WHEN $3 + $4 = 0 THEN CASE WHEN $1 = 'errored' THEN false END
	ELSE $4 = 0 END $$;--> statement-breakpoint
CREATE FUNCTION "count_runs_of_version"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE n integer := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
	INSERT INTO "version_counts" ("organization_id", "experiment_id", "fingerprint", "status", "cause", "runs", "passed", "failed",
		"unresolved", "errored", "skipped", "judged", "solved", "last_activity_at")
	SELECT "organization_id", "experiment_id", "fingerprint", "status", "infrastructure_cause", n * count(*),
		n * sum("tests_passed"), n * sum("tests_failed"), n * sum("tests_unresolved"), n * sum("tests_errored"),
		n * sum("tests_skipped"), n * count("is_solved"), n * count(*) FILTER (WHERE "is_solved"), max("status_updated_at")
	FROM (SELECT *, "solved_of_run"("status", "infrastructure_cause", "tests_passed",
		"tests_failed" + "tests_unresolved" + "tests_errored") AS "is_solved" FROM "changed_runs") AS "judged"
	GROUP BY "organization_id", "experiment_id", "fingerprint", "status", "infrastructure_cause";
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "recount_run_of_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "version_counts" ("organization_id", "experiment_id", "fingerprint", "status", "cause", "runs", "passed", "failed",
		"unresolved", "errored", "skipped", "judged", "solved", "last_activity_at")
	SELECT r."organization_id", r."experiment_id", r."fingerprint", r."status", r."infrastructure_cause", n,
		n * r."tests_passed", n * r."tests_failed", n * r."tests_unresolved", n * r."tests_errored", n * r."tests_skipped",
		CASE WHEN s."is_solved" IS NULL THEN 0 ELSE n END, CASE WHEN s."is_solved" THEN n ELSE 0 END, r."status_updated_at"
	FROM (SELECT -1 AS n, OLD.* UNION ALL SELECT 1, NEW.*) AS r, LATERAL (SELECT "solved_of_run"(r."status",
		r."infrastructure_cause", r."tests_passed", r."tests_failed" + r."tests_unresolved" + r."tests_errored") AS "is_solved") AS s;
	RETURN NULL;
END $$;--> statement-breakpoint
INSERT INTO "version_counts" ("organization_id", "experiment_id", "fingerprint", "status", "cause", "runs", "passed", "failed",
	"unresolved", "errored", "skipped", "judged", "solved", "last_activity_at")
SELECT "organization_id", "experiment_id", "fingerprint", "status", "infrastructure_cause", count(*), sum("tests_passed"),
	sum("tests_failed"), sum("tests_unresolved"), sum("tests_errored"), sum("tests_skipped"), count("is_solved"),
	count(*) FILTER (WHERE "is_solved"), max("status_updated_at")
FROM (SELECT *, "solved_of_run"("status", "infrastructure_cause", "tests_passed",
	"tests_failed" + "tests_unresolved" + "tests_errored") AS "is_solved" FROM "runs") AS "judged"
GROUP BY "organization_id", "experiment_id", "fingerprint", "status", "infrastructure_cause";--> statement-breakpoint
CREATE TRIGGER "runs_counted_when_added" AFTER INSERT ON "runs" REFERENCING NEW TABLE AS "changed_runs"
	FOR EACH STATEMENT EXECUTE FUNCTION "count_runs_of_version"();--> statement-breakpoint
CREATE TRIGGER "runs_counted_when_removed" AFTER DELETE ON "runs" REFERENCING OLD TABLE AS "changed_runs"
	FOR EACH STATEMENT EXECUTE FUNCTION "count_runs_of_version"();--> statement-breakpoint
CREATE TRIGGER "runs_counted_when_changed" AFTER UPDATE ON "runs" FOR EACH ROW WHEN (
	(OLD."status", OLD."infrastructure_cause", OLD."status_updated_at", OLD."experiment_id", OLD."fingerprint", OLD."tests_passed",
		OLD."tests_failed", OLD."tests_unresolved", OLD."tests_errored", OLD."tests_skipped")
	IS DISTINCT FROM
	(NEW."status", NEW."infrastructure_cause", NEW."status_updated_at", NEW."experiment_id", NEW."fingerprint", NEW."tests_passed",
		NEW."tests_failed", NEW."tests_unresolved", NEW."tests_errored", NEW."tests_skipped"))
	EXECUTE FUNCTION "recount_run_of_version"();
