CREATE TABLE "oauth_clients" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"auth_method" text NOT NULL,
	"secret_hash" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"approved_at" timestamp with time zone,
	CONSTRAINT "oauth_clients_name_length" CHECK (length(name) between 1 and 100),
	CONSTRAINT "oauth_clients_redirects" CHECK (cardinality(redirect_uris) between 1 and 10),
	CONSTRAINT "oauth_clients_secret" CHECK (auth_method in ('none', 'client_secret_basic', 'client_secret_post') and (auth_method = 'none') = (secret_hash is null))
);
--> statement-breakpoint
CREATE TABLE "oauth_grants" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"client_id" text NOT NULL,
	"scopes" text NOT NULL,
	"resource" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_hash" text NOT NULL,
	"code_challenge" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"redeemed_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"ends_at" timestamp with time zone NOT NULL,
	CONSTRAINT "oauth_grants_code_hash_unique" UNIQUE("code_hash"),
	CONSTRAINT "oauth_grants_scopes" CHECK ("oauth_grants"."scopes" in ('read', 'write', 'read write')),
	CONSTRAINT "oauth_grants_code_hash" CHECK (code_hash ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "oauth_grants_challenge" CHECK (code_challenge ~ '^[A-Za-z0-9_-]{43}$')
);
--> statement-breakpoint
CREATE TABLE "oauth_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"grant_id" text NOT NULL,
	"kind" text NOT NULL,
	"scopes" text NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"spent_at" timestamp with time zone,
	CONSTRAINT "oauth_tokens_kind" CHECK (kind in ('access', 'refresh')),
	CONSTRAINT "oauth_tokens_hash" CHECK (hash ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "oauth_tokens_scopes" CHECK ("oauth_tokens"."scopes" in ('read', 'write', 'read write'))
);
--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_client_id_oauth_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_grant_id_oauth_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."oauth_grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "oauth_clients_unused" ON "oauth_clients" USING btree ("created_at") WHERE "oauth_clients"."approved_at" is null;--> statement-breakpoint
CREATE INDEX "oauth_grants_user" ON "oauth_grants" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "oauth_grants_client" ON "oauth_grants" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "oauth_grants_end" ON "oauth_grants" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "oauth_tokens_grant" ON "oauth_tokens" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "oauth_tokens_until" ON "oauth_tokens" USING btree ("until");