-- Contexts and summaries count among stored bytes from here on: sums without them are worked out again by the next write.
UPDATE quota_person SET bytes = NULL, chats = NULL WHERE bytes IS NOT NULL;
