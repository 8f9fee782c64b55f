ALTER TABLE "api_keys" ADD COLUMN "scopes" text DEFAULT 'read write' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "addresses" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scopes" CHECK ("api_keys"."scopes" in ('read', 'write', 'read write'));--> statement-breakpoint
CREATE INDEX "api_keys_expiry" ON "api_keys" USING btree ("expires_at") WHERE "expires_at" is not null;--> statement-breakpoint
CREATE TABLE "attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "attempts_until" ON "attempts" USING btree ("until");--> statement-breakpoint
-- Sessions last 30 days instead of 365. Those of before are due for renewal at once: that gives their browsers the cookie
-- of the new name, and until then they alone are known by the former one.
ALTER TABLE "session" ADD COLUMN "former_cookie" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "session" SET "former_cookie" = true, "expires_at" = least("expires_at", now() + interval '29 days');--> statement-breakpoint
-- Makes a key, unless its owner has p.most of them: keys of one person are made one after the other, so that they are
-- counted exactly. Answers how many there were, or null when there is no such person.
CREATE FUNCTION make_api_key(p json) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_used int;
BEGIN
  PERFORM 1 FROM "user" WHERE id = p->>'userId' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT count(*) INTO v_used FROM api_keys WHERE user_id = p->>'userId';
  IF v_used >= (p->>'most')::int THEN RETURN v_used; END IF;
  INSERT INTO api_keys (id, user_id, name, hash, hint, scopes, expires_at)
    VALUES (p->>'id', p->>'userId', p->>'name', p->>'hash', p->>'hint', p->>'scopes', (p->>'expiresAt')::timestamptz);
  RETURN v_used;
END $$;
--> statement-breakpoint
-- Whom a key stands for, and that it was used, from which of the latest 50 addresses; null for one that is wrong, expired or
-- revoked. Of several first uses from an address at once, one finds itself the first: the others find its row written.
CREATE FUNCTION use_api_key(v_hash text, v_address text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  r record;
BEGIN
  SELECT u.id, u.name, u.is_anonymous AS guest, k.id AS "keyId", k.scopes, epoch_ms(k.expires_at) AS "expiresAt",
      NOT v_address = ANY (k.addresses) AS "fromNewAddress",
      k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' AS stale
    INTO r FROM api_keys k JOIN "user" u ON u.id = k.user_id
    WHERE k.hash = v_hash AND (k.expires_at IS NULL OR k.expires_at > now());
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF r.stale OR r."fromNewAddress" THEN
    UPDATE api_keys a SET last_used_at = now(), addresses = CASE WHEN v_address = ANY (a.addresses) THEN a.addresses
        ELSE a.addresses[greatest(1, cardinality(a.addresses) - 48):] || v_address END
      WHERE a.id = r."keyId" AND (a.last_used_at IS NULL OR a.last_used_at < now() - interval '1 minute'
        OR NOT v_address = ANY (a.addresses));
    r."fromNewAddress" := r."fromNewAddress" AND FOUND;
  END IF;
  RETURN row_to_json(r);
END $$;
