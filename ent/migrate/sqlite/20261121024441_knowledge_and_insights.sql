-- Create "fetched_pages" table
CREATE TABLE `fetched_pages` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `url` text NOT NULL, `url_hash` text NOT NULL, `final_url` text NOT NULL DEFAULT (''), `etag` text NOT NULL DEFAULT (''), `last_modified` text NOT NULL DEFAULT (''), `page` blob NULL, `failure` text NOT NULL DEFAULT (''), `failure_message` text NOT NULL DEFAULT (''), `fetched` datetime NOT NULL, PRIMARY KEY (`id`));
-- Create index "fetchedpage_account_id_url_hash" to table: "fetched_pages"
CREATE UNIQUE INDEX `fetchedpage_account_id_url_hash` ON `fetched_pages` (`account_id`, `url_hash`);
-- Create index "fetchedpage_fetched" to table: "fetched_pages"
CREATE INDEX `fetchedpage_fetched` ON `fetched_pages` (`fetched`);
-- Create "guidances" table
CREATE TABLE `guidances` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `draft_id` uuid NOT NULL, `type` text NOT NULL, `request_id` uuid NOT NULL, `request` json NOT NULL, `status` text NULL, `error_code` text NULL, `error_message` text NULL, `source` text NOT NULL DEFAULT (''), `guidance` json NULL, `pages` json NULL, `requested` datetime NOT NULL, `requested_by` integer NOT NULL, `generated` datetime NULL, PRIMARY KEY (`id`));
-- Create index "guidance_account_id_draft_id_type" to table: "guidances"
CREATE UNIQUE INDEX `guidance_account_id_draft_id_type` ON `guidances` (`account_id`, `draft_id`, `type`);
-- Create "knowledge_blobs" table
CREATE TABLE `knowledge_blobs` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `created` datetime NOT NULL, `sha256` text NOT NULL, `size` integer NOT NULL, `refs` integer NOT NULL DEFAULT (1), `stored` bool NOT NULL DEFAULT (false), PRIMARY KEY (`id`));
-- Create index "knowledgeblob_account_id_sha256" to table: "knowledge_blobs"
CREATE UNIQUE INDEX `knowledgeblob_account_id_sha256` ON `knowledge_blobs` (`account_id`, `sha256`);
-- Create "knowledge_passages" table
CREATE TABLE `knowledge_passages` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `source_id` uuid NOT NULL, `number` integer NOT NULL, `start` integer NOT NULL, `end` integer NOT NULL, `heading` text NOT NULL DEFAULT (''), `text` text NOT NULL, PRIMARY KEY (`id`));
-- Create index "knowledgepassage_account_id_source_id_number" to table: "knowledge_passages"
CREATE UNIQUE INDEX `knowledgepassage_account_id_source_id_number` ON `knowledge_passages` (`account_id`, `source_id`, `number`);
-- Create "knowledge_sources" table
CREATE TABLE `knowledge_sources` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `kind` text NOT NULL, `file_name` text NULL, `status` text NOT NULL DEFAULT ('PENDING_UPLOAD'), `status_reason` text NULL, `failure` text NOT NULL DEFAULT (''), `file_type` text NOT NULL DEFAULT (''), `blob_id` uuid NULL, `cut` bool NOT NULL DEFAULT (false), `created` datetime NOT NULL, `created_by` integer NOT NULL, `updated` datetime NOT NULL, PRIMARY KEY (`id`));
-- Create index "knowledgesource_account_id_created_id" to table: "knowledge_sources"
CREATE INDEX `knowledgesource_account_id_created_id` ON `knowledge_sources` (`account_id`, `created`, `id`);
-- Create index "knowledgesource_account_id_status_created_id" to table: "knowledge_sources"
CREATE INDEX `knowledgesource_account_id_status_created_id` ON `knowledge_sources` (`account_id`, `status`, `created`, `id`);
-- Create index "knowledgesource_account_id_blob_id" to table: "knowledge_sources"
CREATE INDEX `knowledgesource_account_id_blob_id` ON `knowledge_sources` (`account_id`, `blob_id`);
-- Create "knowledge_texts" table
CREATE TABLE `knowledge_texts` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `text` text NOT NULL, `language` text NOT NULL DEFAULT (''), `segment` blob NULL, PRIMARY KEY (`id`));
-- Create index "knowledgetext_account_id" to table: "knowledge_texts"
CREATE INDEX `knowledgetext_account_id` ON `knowledge_texts` (`account_id`);
-- Create "serp_results" table
CREATE TABLE `serp_results` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `rank_source_id` integer NOT NULL, `topic` text NOT NULL, `position` integer NOT NULL, `type` text NOT NULL DEFAULT (''), `url` text NOT NULL DEFAULT (''), `title` text NOT NULL DEFAULT (''), `questions` json NULL, `imported` datetime NOT NULL, PRIMARY KEY (`id`));
-- Create index "serpresult_account_id_rank_source_id_topic_position" to table: "serp_results"
CREATE INDEX `serpresult_account_id_rank_source_id_topic_position` ON `serp_results` (`account_id`, `rank_source_id`, `topic`, `position`);
