-- Whether the tokens of a call were estimated, because its server reported none.
ALTER TABLE calls ADD COLUMN usage_is_estimated INTEGER NOT NULL DEFAULT 0;
