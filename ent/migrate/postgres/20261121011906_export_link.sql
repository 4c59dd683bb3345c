-- Create "export_links" table
CREATE TABLE "export_links" ("id" character varying NOT NULL, "account_id" bigint NOT NULL, "credential_id" uuid NOT NULL, "execution_id" character varying NOT NULL, "format" character varying NOT NULL, "expires" timestamptz NOT NULL, PRIMARY KEY ("id"));
-- Create index "exportlink_expires" to table: "export_links"
CREATE INDEX "exportlink_expires" ON "export_links" ("expires");
