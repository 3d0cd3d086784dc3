DROP INDEX "runs_queue";--> statement-breakpoint
CREATE INDEX "runs_queue" ON "runs" USING btree ("status","organization_id","request_id","id");