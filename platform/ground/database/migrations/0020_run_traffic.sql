CREATE TABLE "run_traffic" (
	"run_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"connections" integer NOT NULL,
	"bytes_up" bigint NOT NULL,
	"bytes_down" bigint NOT NULL,
	"refusals" integer NOT NULL,
	"refused_because" text,
	CONSTRAINT "run_traffic_run_id_attempt_host_port_pk" PRIMARY KEY("run_id","attempt","host","port")
);
--> statement-breakpoint
ALTER TABLE "run_traffic" ADD CONSTRAINT "run_traffic_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;