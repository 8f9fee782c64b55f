/** Stands in for `server-only`, which throws outside a server bundle, when Vitest loads `lib/server`. */
export {}
