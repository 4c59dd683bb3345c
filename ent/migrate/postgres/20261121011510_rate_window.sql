-- Create "rate_windows" table
CREATE TABLE "rate_windows" ("id" uuid NOT NULL, "credential_id" uuid NOT NULL, "class" character varying NOT NULL, "minute" bigint NOT NULL, "used" bigint NOT NULL, PRIMARY KEY ("id"));
-- Create index "ratewindow_credential_id_class_minute" to table: "rate_windows"
CREATE UNIQUE INDEX "ratewindow_credential_id_class_minute" ON "rate_windows" ("credential_id", "class", "minute");
