-- Create "export_links" table
CREATE TABLE `export_links` (`id` text NOT NULL, `account_id` integer NOT NULL, `credential_id` uuid NOT NULL, `execution_id` text NOT NULL, `format` text NOT NULL, `expires` datetime NOT NULL, PRIMARY KEY (`id`));
-- Create index "exportlink_expires" to table: "export_links"
CREATE INDEX `exportlink_expires` ON `export_links` (`expires`);
