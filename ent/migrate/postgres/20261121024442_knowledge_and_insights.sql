-- Create "fetched_pages" table
CREATE TABLE "fetched_pages" ("id" uuid NOT NULL, "account_id" bigint NOT NULL, "url" character varying NOT NULL, "url_hash" character varying NOT NULL, "final_url" character varying NOT NULL DEFAULT '', "etag" character varying NOT NULL DEFAULT '', "last_modified" character varying NOT NULL DEFAULT '', "page" bytea NULL, "failure" character varying NOT NULL DEFAULT '', "failure_message" character varying NOT NULL DEFAULT '', "fetched" timestamptz NOT NULL, PRIMARY KEY ("id"));
-- Create index "fetchedpage_account_id_url_hash" to table: "fetched_pages"
CREATE UNIQUE INDEX "fetchedpage_account_id_url_hash" ON "fetched_pages" ("account_id", "url_hash");
-- Create index "fetchedpage_fetched" to table: "fetched_pages"
CREATE INDEX "fetchedpage_fetched" ON "fetched_pages" ("fetched");
-- Create "guidances" table
CREATE TABLE "guidances" ("id" uuid NOT NULL, "account_id" bigint NOT NULL, "draft_id" uuid NOT NULL, "type" character varying NOT NULL, "request_id" uuid NOT NULL, "request" jsonb NOT NULL, "status" character varying NULL, "error_code" character varying NULL, "error_message" character varying NULL, "source" character varying NOT NULL DEFAULT '', "guidance" jsonb NULL, "pages" jsonb NULL, "requested" timestamptz NOT NULL, "requested_by" bigint NOT NULL, "generated" timestamptz NULL, PRIMARY KEY ("id"));
-- Create index "guidance_account_id_draft_id_type" to table: "guidances"
CREATE UNIQUE INDEX "guidance_account_id_draft_id_type" ON "guidances" ("account_id", "draft_id", "type");
-- Create "knowledge_blobs" table
CREATE TABLE "knowledge_blobs" ("id" uuid NOT NULL, "account_id" bigint NOT NULL, "created" timestamptz NOT NULL, "sha256" character varying NOT NULL, "size" bigint NOT NULL, "refs" bigint NOT NULL DEFAULT 1, "stored" boolean NOT NULL DEFAULT false, PRIMARY KEY ("id"));
-- Create index "knowledgeblob_account_id_sha256" to table: "knowledge_blobs"
CREATE UNIQUE INDEX "knowledgeblob_account_id_sha256" ON "knowledge_blobs" ("account_id", "sha256");
-- Create "knowledge_passages" table
CREATE TABLE "knowledge_passages" ("id" uuid NOT NULL, "account_id" bigint NOT NULL, "source_id" uuid NOT NULL, "number" bigint NOT NULL, "start" bigint NOT NULL, "end" bigint NOT NULL, "heading" character varying NOT NULL DEFAULT '', "text" text NOT NULL, PRIMARY KEY ("id"));
-- Create index "knowledgepassage_account_id_source_id_number" to table: "knowledge_passages"
CREATE UNIQUE INDEX "knowledgepassage_account_id_source_id_number" ON "knowledge_passages" ("account_id", "source_id", "number");
-- Create "knowledge_sources" table
CREATE TABLE "knowledge_sources" ("id" uuid NOT NULL, "account_id" bigint NOT NULL, "kind" character varying NOT NULL, "file_name" character varying NULL, "status" character varying NOT NULL DEFAULT 'PENDING_UPLOAD', "status_reason" character varying NULL, "failure" character varying NOT NULL DEFAULT '', "file_type" character varying NOT NULL DEFAULT '', "blob_id" uuid NULL, "cut" boolean NOT NULL DEFAULT false, "created" timestamptz NOT NULL, "created_by" bigint NOT NULL, "updated" timestamptz NOT NULL, PRIMARY KEY ("id"));
-- Create index "knowledgesource_account_id_blob_id" to table: "knowledge_sources"
CREATE INDEX "knowledgesource_account_id_blob_id" ON "knowledge_sources" ("account_id", "blob_id");
-- Create index "knowledgesource_account_id_created_id" to table: "knowledge_sources"
CREATE INDEX "knowledgesource_account_id_created_id" ON "knowledge_sources" ("account_id", "created", "id");
-- Create index "knowledgesource_account_id_status_created_id" to table: "knowledge_sources"
CREATE INDEX "knowledgesource_account_id_status_created_id" ON "knowledge_sources" ("account_id", "status", "created", "id");
-- Create "knowledge_texts" table
CREATE TABLE "knowledge_texts" ("id" uuid NOT NULL, "account_id" bigint NOT NULL, "text" text NOT NULL, "language" character varying NOT NULL DEFAULT '', "segment" bytea NULL, PRIMARY KEY ("id"));
-- Create index "knowledgetext_account_id" to table: "knowledge_texts"
CREATE INDEX "knowledgetext_account_id" ON "knowledge_texts" ("account_id");
-- Create "serp_results" table
CREATE TABLE "serp_results" ("id" uuid NOT NULL, "account_id" bigint NOT NULL, "rank_source_id" bigint NOT NULL, "topic" character varying NOT NULL, "position" bigint NOT NULL, "type" character varying NOT NULL DEFAULT '', "url" character varying NOT NULL DEFAULT '', "title" character varying NOT NULL DEFAULT '', "questions" jsonb NULL, "imported" timestamptz NOT NULL, PRIMARY KEY ("id"));
-- Create index "serpresult_account_id_rank_source_id_topic_position" to table: "serp_results"
CREATE INDEX "serpresult_account_id_rank_source_id_topic_position" ON "serp_results" ("account_id", "rank_source_id", "topic", "position");
