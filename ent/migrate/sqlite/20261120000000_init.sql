-- Create "accounts" table
CREATE TABLE `accounts` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `created` datetime NOT NULL, `name` text NOT NULL);
-- Create "content_profiles" table
CREATE TABLE `content_profiles` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `created` datetime NOT NULL, `created_by` integer NOT NULL, `updated` datetime NOT NULL, `updated_by` integer NOT NULL, `name` text NOT NULL, `description` text NULL, `voice_tone` text NULL, `audience` text NULL, `language_rules` json NOT NULL, `version_id` uuid NOT NULL, PRIMARY KEY (`id`));
-- Create index "contentprofile_account_id_name" to table: "content_profiles"
CREATE UNIQUE INDEX `contentprofile_account_id_name` ON `content_profiles` (`account_id`, `name`);
-- Create index "contentprofile_account_id_updated_id" to table: "content_profiles"
CREATE INDEX `contentprofile_account_id_updated_id` ON `content_profiles` (`account_id`, `updated`, `id`);
-- Create "credentials" table
CREATE TABLE `credentials` (`id` uuid NOT NULL, `created` datetime NOT NULL, `user_id` integer NOT NULL, `kind` text NOT NULL, `hint` text NOT NULL DEFAULT (''), `token_hash` text NULL, `api_key` text NULL, `sealed_secret` blob NULL, `expires` datetime NULL, `revoked` datetime NULL, `last_used` datetime NULL, PRIMARY KEY (`id`));
-- Create index "credentials_token_hash_key" to table: "credentials"
CREATE UNIQUE INDEX `credentials_token_hash_key` ON `credentials` (`token_hash`);
-- Create index "credentials_api_key_key" to table: "credentials"
CREATE UNIQUE INDEX `credentials_api_key_key` ON `credentials` (`api_key`);
-- Create index "credential_user_id" to table: "credentials"
CREATE INDEX `credential_user_id` ON `credentials` (`user_id`);
-- Create "drafts" table
CREATE TABLE `drafts` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `created` datetime NOT NULL, `created_by` integer NOT NULL, `updated` datetime NOT NULL, `updated_by` integer NOT NULL, `draft_title` text NOT NULL, `topics` json NOT NULL, `page` text NULL, `rank_source_id` integer NOT NULL, `web_property_id` integer NULL, `version_id` uuid NOT NULL, `assignee` integer NULL, `status` text NOT NULL DEFAULT ('TO_DO'), `competitor_urls` json NOT NULL, `content_profile_id` uuid NULL, PRIMARY KEY (`id`));
-- Create index "draft_account_id_updated_id" to table: "drafts"
CREATE INDEX `draft_account_id_updated_id` ON `drafts` (`account_id`, `updated`, `id`);
-- Create index "draft_account_id_status_updated_id" to table: "drafts"
CREATE INDEX `draft_account_id_status_updated_id` ON `drafts` (`account_id`, `status`, `updated`, `id`);
-- Create index "draft_account_id_content_profile_id" to table: "drafts"
CREATE INDEX `draft_account_id_content_profile_id` ON `drafts` (`account_id`, `content_profile_id`);
-- Create "draft_versions" table
CREATE TABLE `draft_versions` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `draft_id` uuid NOT NULL, `number` integer NOT NULL, `title` text NULL, `meta_description` text NULL, `body_copy` text NULL, `created` datetime NOT NULL, `created_by` integer NOT NULL, PRIMARY KEY (`id`));
-- Create index "draftversion_account_id_draft_id_number" to table: "draft_versions"
CREATE UNIQUE INDEX `draftversion_account_id_draft_id_number` ON `draft_versions` (`account_id`, `draft_id`, `number`);
-- Create "executions" table
CREATE TABLE `executions` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `user_id` integer NOT NULL, `query` text NOT NULL, `request` json NOT NULL, `pins` json NOT NULL, `page_rows` integer NOT NULL, `state` text NOT NULL DEFAULT ('IN_PROGRESS'), `message` text NULL, `expected` integer NOT NULL, `scanned` integer NOT NULL DEFAULT (0), `written` integer NOT NULL DEFAULT (0), `attempt` integer NOT NULL DEFAULT (0), `chunks` integer NOT NULL DEFAULT (0), `digest` blob NULL, `created` datetime NOT NULL, `finished` datetime NULL, `expires` datetime NOT NULL, `purged` bool NOT NULL DEFAULT (false), `removed` bool NOT NULL DEFAULT (false), PRIMARY KEY (`id`));
-- Create index "execution_account_id_user_id_created" to table: "executions"
CREATE INDEX `execution_account_id_user_id_created` ON `executions` (`account_id`, `user_id`, `created`);
-- Create index "execution_account_id_state" to table: "executions"
CREATE INDEX `execution_account_id_state` ON `executions` (`account_id`, `state`);
-- Create index "execution_expires" to table: "executions"
CREATE INDEX `execution_expires` ON `executions` (`expires`);
-- Create "export_links" table
CREATE TABLE `export_links` (`id` text NOT NULL, `account_id` integer NOT NULL, `credential_id` uuid NOT NULL, `execution_id` text NOT NULL, `format` text NOT NULL, `expires` datetime NOT NULL, PRIMARY KEY (`id`));
-- Create index "exportlink_expires" to table: "export_links"
CREATE INDEX `exportlink_expires` ON `export_links` (`expires`);
-- Create "fact_imports" table
CREATE TABLE `fact_imports` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `created` datetime NOT NULL, `number` integer NOT NULL, `dataset` text NOT NULL, `file_id` uuid NOT NULL, `file_name` text NOT NULL, `digest` text NOT NULL, `state` text NOT NULL DEFAULT ('WRITING'), `rows` integer NOT NULL DEFAULT (0), `lease_until` integer NOT NULL, PRIMARY KEY (`id`));
-- Create index "factimport_account_id_number" to table: "fact_imports"
CREATE UNIQUE INDEX `factimport_account_id_number` ON `fact_imports` (`account_id`, `number`);
-- Create index "factimport_account_id_dataset_digest" to table: "fact_imports"
CREATE INDEX `factimport_account_id_dataset_digest` ON `fact_imports` (`account_id`, `dataset`, `digest`);
-- Create index "factimport_state_lease_until" to table: "fact_imports"
CREATE INDEX `factimport_state_lease_until` ON `fact_imports` (`state`, `lease_until`);
-- Create "fact_slices" table
CREATE TABLE `fact_slices` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `dataset` text NOT NULL, `import_no` integer NOT NULL, `slice` integer NOT NULL, `web_property_id` integer NOT NULL, `frequency` text NOT NULL, `period_start` text NOT NULL, `period_end` text NOT NULL, `rows` integer NOT NULL, `retired` integer NULL, PRIMARY KEY (`id`));
-- Create index "factslice_account_id_import_no_slice" to table: "fact_slices"
CREATE UNIQUE INDEX `factslice_account_id_import_no_slice` ON `fact_slices` (`account_id`, `import_no`, `slice`);
-- Create index "factslice_account_id_dataset_frequency_period_start" to table: "fact_slices"
CREATE INDEX `factslice_account_id_dataset_frequency_period_start` ON `fact_slices` (`account_id`, `dataset`, `frequency`, `period_start`);
-- Create index "factslice_retired" to table: "fact_slices"
CREATE INDEX `factslice_retired` ON `fact_slices` (`retired`);
-- Create "grants" table
CREATE TABLE `grants` (`id` uuid NOT NULL, `created` datetime NOT NULL, `user_id` integer NOT NULL, `account_id` integer NOT NULL, PRIMARY KEY (`id`));
-- Create index "grant_user_id_account_id" to table: "grants"
CREATE UNIQUE INDEX `grant_user_id_account_id` ON `grants` (`user_id`, `account_id`);
-- Create "jobs" table
CREATE TABLE `jobs` (`id` uuid NOT NULL, `kind` text NOT NULL, `account_id` integer NOT NULL, `args` json NOT NULL, `state` text NOT NULL DEFAULT ('QUEUED'), `run_at` integer NOT NULL DEFAULT (0), `turn` integer NOT NULL, `attempt` integer NOT NULL DEFAULT (0), `failures` integer NOT NULL DEFAULT (0), `max_attempts` integer NOT NULL DEFAULT (5), `owner` text NOT NULL DEFAULT (''), `lease_until` integer NOT NULL DEFAULT (0), `error` text NOT NULL DEFAULT (''), `created` integer NOT NULL, PRIMARY KEY (`id`));
-- Create index "job_state_turn" to table: "jobs"
CREATE INDEX `job_state_turn` ON `jobs` (`state`, `turn`);
-- Create index "job_account_id_state_turn" to table: "jobs"
CREATE INDEX `job_account_id_state_turn` ON `jobs` (`account_id`, `state`, `turn`);
-- Create "rank_sources" table
CREATE TABLE `rank_sources` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `name` text NOT NULL, `engine` text NOT NULL DEFAULT (''), `country` text NOT NULL DEFAULT (''), `language` text NOT NULL DEFAULT (''));
-- Create index "rank_sources_name_key" to table: "rank_sources"
CREATE UNIQUE INDEX `rank_sources_name_key` ON `rank_sources` (`name`);
-- Create "rate_windows" table
CREATE TABLE `rate_windows` (`id` uuid NOT NULL, `credential_id` uuid NOT NULL, `class` text NOT NULL, `minute` integer NOT NULL, `used` integer NOT NULL, PRIMARY KEY (`id`));
-- Create index "ratewindow_credential_id_class_minute" to table: "rate_windows"
CREATE UNIQUE INDEX `ratewindow_credential_id_class_minute` ON `rate_windows` (`credential_id`, `class`, `minute`);
-- Create "settings" table
CREATE TABLE `settings` (`id` text NOT NULL, `value` text NOT NULL, PRIMARY KEY (`id`));
-- Create "users" table
CREATE TABLE `users` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `created` datetime NOT NULL, `name` text NOT NULL, `scopes` json NOT NULL);
-- Create index "users_name_key" to table: "users"
CREATE UNIQUE INDEX `users_name_key` ON `users` (`name`);
-- Create "web_properties" table
CREATE TABLE `web_properties` (`id` uuid NOT NULL, `account_id` integer NOT NULL, `number` integer NOT NULL, `name` text NOT NULL, `url` text NOT NULL DEFAULT (''), PRIMARY KEY (`id`));
-- Create index "webproperty_account_id_number" to table: "web_properties"
CREATE UNIQUE INDEX `webproperty_account_id_number` ON `web_properties` (`account_id`, `number`);
